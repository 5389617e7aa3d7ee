import type { Messages } from "../messages.ts";
import { cluster } from "./cluster.ts";
import { clusters } from "./clusters.ts";
import { editor } from "./editor.ts";
import { jobs } from "./jobs.ts";
import { machines } from "./machines.ts";
import { manage } from "./manage.ts";
import { shell } from "./shell.ts";
import { sshForm } from "./ssh-form.ts";
import { words } from "./words.ts";

export const zhCn: Messages = {
  ...words,
  ...shell,
  ...clusters,
  ...cluster,
  ...jobs,
  ...editor,
  ...manage,
  ...machines,
  ...sshForm,
};
