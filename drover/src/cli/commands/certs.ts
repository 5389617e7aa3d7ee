import { backupRoutes, clusterActionRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addOutput, addReason, addWait, type OutputFlags, type ReasonFlags, type WaitFlags } from "../flags.ts";
import { renderList } from "../render/output.ts";
import { certificates } from "../resources/backups.ts";
import { talk, wordOf } from "../session.ts";
import { tellAccepted } from "../wait-for-all.ts";
import { waitForJob } from "../wait-for-job.ts";

export function define(command: Command, context: CommandContext): void {
  addOutput(command.argument("<cluster>", "which cluster"));
  addExamples(command, "drover certs demo", "drover certs renew demo --wait");
  talk<OutputFlags>(command, context, async ({ client, terminal, colours }, { output }, args) => {
    const { items } = await client.call(backupRoutes.listCertificates, { params: { name: wordOf(args) } });
    terminal.out(renderList(certificates, items, output, colours));
    return EXIT.ok;
  });

  const renew = command
    .command("renew")
    .description("renew the certificates of the control planes, one after the other")
    .argument("<cluster>", "which cluster");
  addWait(addReason(renew));
  addExamples(renew, "drover certs renew demo --wait");
  talk<ReasonFlags & WaitFlags>(renew, context, async (session, { reason, wait }, args) => {
    const body = reason === undefined ? {} : { reason };
    const route = clusterActionRoutes.renewCertificates;
    const accepted = await session.client.call(route, { params: { name: wordOf(args) }, body });
    tellAccepted(session, "gets new certificates", accepted);
    return wait === true && accepted.jobId !== null ? await waitForJob(session, accepted.jobId) : EXIT.ok;
  });
}
