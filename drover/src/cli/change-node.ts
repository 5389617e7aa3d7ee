import { clusterDetailRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { addReason, addWait, type ReasonFlags, type WaitFlags } from "./flags.ts";
import { talk, wordOf } from "./session.ts";
import { tellAccepted } from "./wait-for-all.ts";
import { waitForJob } from "./wait-for-job.ts";

type NodeFlags = ReasonFlags & WaitFlags & { readonly force?: boolean };

/** Commands that ask for one thing of one node. */
export function defineNodeAction(
  command: Command,
  context: CommandContext,
  action: "cordon" | "uncordon" | "drain",
): void {
  command.argument("<cluster>", "which cluster").argument("<node>", "which of its nodes");
  if (action === "drain") command.option("--force", "also evict pods that nothing would make again");
  addWait(addReason(command));
  addExamples(command, `drover ${action} demo simulated-demo-worker-1 --wait`);
  talk<NodeFlags>(command, context, async (session, { reason, force, wait }, args) => {
    const [name, node] = [wordOf(args), wordOf(args, 1)];
    const body = { ...(reason === undefined ? {} : { reason }), ...(force === true ? { force } : {}) };
    const accepted = await session.client.call(clusterDetailRoutes.changeNode, {
      params: { name, node, action },
      body,
    });
    tellAccepted(session, `is to ${action} ${node}`, accepted);
    return wait === true && accepted.jobId !== null ? await waitForJob(session, accepted.jobId) : EXIT.ok;
  });
}
