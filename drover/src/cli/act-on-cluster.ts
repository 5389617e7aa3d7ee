import { clusterActionRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "./command.ts";
import type { Accepted } from "./declare-document.ts";
import { EXIT } from "./exit-codes.ts";
import { addReason, addWait, type ReasonFlags, type WaitFlags } from "./flags.ts";
import { talk, wordsOf } from "./session.ts";
import { waitForAll } from "./wait-for-all.ts";

type Plain = "adopt" | "pause" | "resume" | "protect" | "unprotect" | "hibernate" | "wake";

/** Commands that ask for one thing of each cluster named, and wait for what comes of it when they are told to. */
export function defineAction(command: Command, context: CommandContext, action: Plain, done: string): void {
  addWait(addReason(command.argument("<cluster...>", "which clusters")));
  addExamples(command, `drover ${action} ${action === "adopt" ? "prod-1" : "demo"}`);
  talk<ReasonFlags & WaitFlags>(command, context, async (session, { reason, wait }, args) => {
    const begun: Accepted[] = [];
    for (const name of wordsOf(args)) {
      const body = reason === undefined ? {} : { reason };
      begun.push(await session.client.call(clusterActionRoutes[action], { params: { name }, body }));
      session.terminal.out(`cluster/${name} ${done}\n`);
    }
    return wait === true ? await waitForAll(session, begun) : EXIT.ok;
  });
}
