import { clusterActionRoutes, jobRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { findJob, isNamedJob, nameJob } from "../find-job.ts";
import { addReason, addWait, type ReasonFlags, type WaitFlags } from "../flags.ts";
import { type Session, talk, wordOf } from "../session.ts";
import { waitForJob } from "../wait-for-job.ts";

export function define(command: Command, context: CommandContext): void {
  addWait(addReason(command.argument("<cluster-or-job>", "a cluster, or a job as demo/3 or by its id")));
  command.option("--keep", "leave what a create has made, so that a retry goes on from there");
  addExamples(command, "drover cancel demo", "drover cancel demo --keep");
  talk(command, context, run);
}

interface Flags extends ReasonFlags, WaitFlags {
  readonly keep?: boolean;
}

async function run(session: Session, { reason, wait, keep }: Flags, args: Parameters<typeof wordOf>[0]) {
  const { client, terminal } = session;
  const reference = wordOf(args);
  const body = { ...(reason === undefined ? {} : { reason }), ...(keep === true ? { undo: false } : {}) };
  if (!isNamedJob(reference)) await client.call(clusterActionRoutes.cancel, { params: { name: reference }, body });
  const job = await findJob(client, reference);
  if (isNamedJob(reference)) await client.call(jobRoutes.cancelJob, { params: { id: job.id }, body });
  terminal.out(`job/${nameJob(job)} is asked to stop; \`drover describe ${job.cluster}\` shows when it has.\n`);
  if (wait !== true) return EXIT.ok;
  const code = await waitForJob(session, job.id);
  return code === EXIT.jobCanceled ? EXIT.ok : code;
}
