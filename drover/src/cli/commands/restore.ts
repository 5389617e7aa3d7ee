import { backupRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { addOptions, readOptions } from "../command-options.ts";
import { EXIT } from "../exit-codes.ts";
import { addReason, addWait, type ReasonFlags, type WaitFlags } from "../flags.ts";
import { openSession, type Session } from "../session.ts";
import { UsageError } from "../usage-error.ts";
import { tellAccepted } from "../wait-for-all.ts";
import { waitForJob } from "../wait-for-job.ts";

interface Given extends ReasonFlags, WaitFlags {
  readonly backup?: string;
  readonly yes?: boolean;
}

/** Of Drover itself with a file's name, as `drover store restore` does it; of a cluster with `--backup`. */
export function define(command: Command, context: CommandContext): void {
  const { handlers, finish } = context;
  command
    .argument("<file-or-cluster>", "the backup of Drover's store, or, with --backup, a cluster")
    .option("--backup <id>", "the backup that the cluster is to go back to, as `drover backup list` names it")
    .option("--yes", "do not ask");
  addOptions(addWait(addReason(command)), "restore");
  addExamples(
    command,
    "drover restore drover-backup.db --data-dir ./restored --master-key-file ./master.key",
    "drover restore demo --backup 0199f0c2-7a1e-7c64-b7b1-4d6f1c1f2a3b --wait",
  );
  command.action(async (word: string) => {
    const given = command.opts<Given>();
    const running =
      given.backup === undefined
        ? handlers.restore(readOptions(command), word)
        : restoreCluster(openSession(command, context), word, given.backup, given);
    await finish(running);
  });
}

async function restoreCluster(
  session: Session,
  name: string,
  id: string,
  { yes, reason, wait }: Given,
): Promise<number> {
  if (yes !== true) await confirm(session, name, id);
  const body = { confirm: name, ...(reason === undefined ? {} : { reason }) };
  const accepted = await session.client.call(backupRoutes.restoreBackup, { params: { name, id }, body });
  tellAccepted(session, `goes back to its backup ${id}`, accepted);
  return wait === true && accepted.jobId !== null ? await waitForJob(session, accepted.jobId) : EXIT.ok;
}

async function confirm({ client, terminal }: Session, name: string, id: string): Promise<void> {
  const { createdTime } = await client.call(backupRoutes.getBackup, { params: { name, id } });
  const answer = await terminal.ask(
    `Everything that was changed in ${name} since ${createdTime} is lost.\nType ${name} to go on: `,
  );
  if (answer === null) throw new UsageError("Nobody is there to ask: add --yes to restore without a question.");
  if (answer.trim() !== name) throw new UsageError(`"${answer.trim()}" is not ${name}; nothing was restored.`);
}
