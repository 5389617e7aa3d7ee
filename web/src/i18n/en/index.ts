import { cluster } from "./cluster.ts";
import { clusters } from "./clusters.ts";
import { editor } from "./editor.ts";
import { jobs } from "./jobs.ts";
import { machines } from "./machines.ts";
import { manage } from "./manage.ts";
import { shell } from "./shell.ts";
import { sshForm } from "./ssh-form.ts";
import { words } from "./words.ts";

/** English is the catalogue that the others are measured against. */
export const en = {
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
