import { chmodSync, writeFileSync } from "node:fs";
import { kubeconfigRoutes, ROLES } from "@drover/contract";
import { type Command, Option } from "commander";
import { systemTimer } from "../../ports/timer.ts";
import type { CallAnswer } from "../client/api-client.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { parseLifetime } from "../flags.ts";
import { chooseFile, mergeIntoFile } from "../kubeconfig/merge-into-file.ts";
import { entryName } from "../kubeconfig/merge-kubeconfig.ts";
import { describeAge } from "../render/age.ts";
import { renderList, type Shown } from "../render/output.ts";
import { now } from "../resources/resource.ts";
import { type Session, talk, wordOf } from "../session.ts";

type Kubeconfig = CallAnswer<typeof kubeconfigRoutes.listKubeconfigs>["items"][number];

interface Given {
  readonly role: (typeof ROLES)[number];
  readonly lifetime?: number;
  readonly file?: string;
  readonly merge?: boolean;
  readonly list?: boolean;
  readonly revoke?: string;
}

const KUBECONFIGS: Shown<Kubeconfig> = {
  kind: "kubeconfig",
  nameOf: ({ id }) => id,
  columns: [
    { title: "ID", value: ({ id }) => id },
    { title: "ROLE", value: ({ role }) => role },
    { title: "BY", value: ({ createdBy }) => createdBy },
    { title: "AGE", value: ({ createdTime }) => describeAge(createdTime, now()) },
    { title: "EXPIRES", value: ({ expiresTime }) => expiresTime ?? "never" },
    { title: "REVOKED", value: ({ revokedTime }) => revokedTime ?? "" },
  ],
};

const EIGHT_HOURS = 28_800;

export function define(command: Command, context: CommandContext): void {
  command
    .argument("<cluster>", "which cluster")
    .addOption(new Option("--role <role>", "what it allows").choices(ROLES).default("viewer"))
    .option("--lifetime <time>", "how long it works, as 8h or 30m; 8h when left out", parseLifetime)
    .option("--file <file>", "write it there, readable by you only, instead of printing it")
    .addOption(
      new Option("--merge", "put it into the file that kubectl uses, as the context drover-<cluster>").conflicts(
        "file",
      ),
    )
    .option("--list", "list those that were handed out")
    .option("--revoke <id>", "make one useless; the cluster needs some ten seconds for that");
  addExamples(
    command,
    "drover kubeconfig demo --file demo.kubeconfig",
    "drover kubeconfig demo --merge",
    "drover kubeconfig demo --list",
  );
  talk(command, context, run);
}

async function run(session: Session, given: Given, args: Parameters<typeof wordOf>[0]): Promise<number> {
  const { client, terminal, colours } = session;
  const name = wordOf(args);
  if (given.revoke !== undefined) {
    await client.call(kubeconfigRoutes.revokeKubeconfig, { params: { name, id: given.revoke } });
    terminal.out(`kubeconfig/${given.revoke} is revoked\n`);
    return EXIT.ok;
  }
  if (given.list === true) {
    const { items } = await client.call(kubeconfigRoutes.listKubeconfigs, { params: { name } });
    terminal.out(renderList(KUBECONFIGS, items, "table", colours));
    return EXIT.ok;
  }
  // What is in the way is told before anything was made.
  if (given.merge === true) chooseFile(session.environment.kubeconfigFiles, name);
  const body = { role: given.role, lifetimeSeconds: given.lifetime ?? EIGHT_HOURS };
  const made = await client.call(kubeconfigRoutes.createKubeconfig, { params: { name }, body });
  const until = made.expiresTime === null ? "" : ` It works until ${made.expiresTime}.`;
  if (given.merge === true) {
    const kubeconfig = { cluster: name, text: made.kubeconfig };
    const file = await mergeIntoFile(session.environment.kubeconfigFiles, kubeconfig, systemTimer);
    terminal.out(`Merged into ${file}.${until} Use it with \`kubectl --context ${entryName(name)}\`.\n`);
  } else if (given.file === undefined) terminal.out(made.kubeconfig);
  else {
    writeFileSync(given.file, made.kubeconfig, { mode: 0o600 });
    chmodSync(given.file, 0o600);
    terminal.out(`Wrote ${given.file}.${until} Use it with \`kubectl --kubeconfig ${given.file}\`.\n`);
  }
  return EXIT.ok;
}
