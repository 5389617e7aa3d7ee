import { clusterActionRoutes, jobRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { findJob, isNamedJob, nameJob } from "../find-job.ts";
import { addReason, addWait, type ReasonFlags, type WaitFlags } from "../flags.ts";
import { type Session, talk, wordOf } from "../session.ts";
import { tellAccepted } from "../wait-for-all.ts";
import { waitForJob } from "../wait-for-job.ts";

export function define(command: Command, context: CommandContext): void {
  addWait(addReason(command.argument("<cluster-or-job>", "a cluster, or a job as demo/3 or by its id")));
  addExamples(command, "drover retry demo --wait");
  talk(command, context, run);
}

async function run(session: Session, { reason, wait }: ReasonFlags & WaitFlags, args: Parameters<typeof wordOf>[0]) {
  const reference = wordOf(args);
  const body = reason === undefined ? {} : { reason };
  const jobId = isNamedJob(reference)
    ? await retryJob(session, reference, body)
    : await retryCluster(session, reference, body);
  return wait === true && jobId !== null ? await waitForJob(session, jobId) : EXIT.ok;
}

async function retryJob({ client, terminal }: Session, reference: string, body: { readonly reason?: string }) {
  const { id } = await findJob(client, reference);
  const job = await client.call(jobRoutes.retryJob, { params: { id }, body });
  terminal.out(`job/${nameJob(job)} tries again; follow it with \`drover logs -f ${job.cluster}\`\n`);
  return job.id;
}

async function retryCluster(session: Session, name: string, body: { readonly reason?: string }) {
  const accepted = await session.client.call(clusterActionRoutes.retry, { params: { name }, body });
  tellAccepted(session, "tries again", accepted);
  return accepted.jobId;
}
