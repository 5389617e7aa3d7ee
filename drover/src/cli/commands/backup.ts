import { backupRoutes, clusterActionRoutes } from "@drover/contract";
import type { Command } from "commander";
import { newestBackup } from "../backups/newest-backup.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { addOptions, readOptions } from "../command-options.ts";
import { EXIT } from "../exit-codes.ts";
import { addOutput, addReason, addWait, type OutputFlags, type ReasonFlags, type WaitFlags } from "../flags.ts";
import { renderList } from "../render/output.ts";
import { backups } from "../resources/backups.ts";
import { talk, wordOf } from "../session.ts";
import { tellAccepted } from "../wait-for-all.ts";
import { waitForJob } from "../wait-for-job.ts";

type Given = ReasonFlags & WaitFlags;

/** Of Drover itself with a file's name, as `drover store backup` does it; of a cluster with the words below. */
export function define(command: Command, context: CommandContext): void {
  const { handlers, finish } = context;
  addExamples(addOptions(command.argument("<file>", "where to write it"), "store"), "drover backup drover-backup.db");
  command.action((file: string) => finish(handlers.backUp(readOptions(command), file)));

  const take = command
    .command("cluster")
    .description("take a backup of a cluster's database now")
    .argument("<cluster>", "which cluster");
  addWait(addReason(take));
  addExamples(take, "drover backup cluster demo --wait");
  talk<Given>(take, context, async (session, { reason, wait }, args) => {
    const body = reason === undefined ? {} : { reason };
    const accepted = await session.client.call(clusterActionRoutes.backup, { params: { name: wordOf(args) }, body });
    tellAccepted(session, "is being backed up", accepted);
    return wait === true && accepted.jobId !== null ? await waitForJob(session, accepted.jobId) : EXIT.ok;
  });

  const list = addOutput(
    command.command("list").description("backups of a cluster, newest first").argument("<cluster>", "which cluster"),
  );
  addExamples(list, "drover backup list demo", "drover backup list demo -o wide");
  talk<OutputFlags>(list, context, async ({ client, terminal, colours }, { output }, args) => {
    const { items } = await client.call(backupRoutes.listBackups, { params: { name: wordOf(args) } });
    terminal.out(renderList(backups, items, output, colours));
    return EXIT.ok;
  });

  const drill = command
    .command("drill")
    .description("prove a backup: start it beside the cluster, and compare")
    .argument("<cluster>", "which cluster")
    .option("--backup <id>", "which backup; the newest when left out");
  addWait(addReason(drill));
  addExamples(drill, "drover backup drill demo --wait");
  talk<Given & { backup?: string }>(drill, context, async (session, { backup, reason, wait }, args) => {
    const name = wordOf(args);
    const id = backup ?? (await newestBackup(session, name));
    const body = reason === undefined ? {} : { reason };
    const accepted = await session.client.call(backupRoutes.drillBackup, { params: { name, id }, body });
    tellAccepted(session, `has its backup ${id} proven`, accepted);
    return wait === true && accepted.jobId !== null ? await waitForJob(session, accepted.jobId) : EXIT.ok;
  });
}
