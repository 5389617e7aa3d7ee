import { clusterActionRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addReason, addWait, type ReasonFlags, type WaitFlags } from "../flags.ts";
import { talk, wordOf } from "../session.ts";
import { tellAccepted } from "../wait-for-all.ts";
import { waitForJob } from "../wait-for-job.ts";

const ROTATIONS = [
  {
    name: "encryption-key",
    description: "encrypt all Secrets with a new key, and drop the old one; the API goes on",
    said: "gets a new encryption key",
    route: clusterActionRoutes.rotateEncryptionKey,
  },
  {
    name: "tokens",
    description: "make everything useless by which a machine could join until now",
    said: "loses its old tokens",
    route: clusterActionRoutes.rotateTokens,
  },
] as const;

export function define(command: Command, context: CommandContext): void {
  addExamples(command, ...ROTATIONS.map(({ name }) => `drover rotate ${name} demo --wait`));
  for (const { name, description, said, route } of ROTATIONS) {
    const rotate = command.command(name).description(description).argument("<cluster>", "which cluster");
    addWait(addReason(rotate));
    addExamples(rotate, `drover rotate ${name} demo --wait`);
    talk<ReasonFlags & WaitFlags>(rotate, context, async (session, { reason, wait }, args) => {
      const body = reason === undefined ? {} : { reason };
      const accepted = await session.client.call(route, { params: { name: wordOf(args) }, body });
      tellAccepted(session, said, accepted);
      return wait === true && accepted.jobId !== null ? await waitForJob(session, accepted.jobId) : EXIT.ok;
    });
  }
}
