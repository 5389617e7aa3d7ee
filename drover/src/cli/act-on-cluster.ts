import { clusterActionRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { addReason, type ReasonFlags } from "./flags.ts";
import { talk, wordsOf } from "./session.ts";

type Plain = "adopt" | "pause" | "resume" | "protect" | "unprotect" | "hibernate" | "wake";

/** Commands that ask for one thing of each cluster named, and wait for nothing. */
export function defineAction(command: Command, context: CommandContext, action: Plain, done: string): void {
  addReason(command.argument("<cluster...>", "which clusters"));
  addExamples(command, `drover ${action} ${action === "adopt" ? "prod-1" : "demo"}`);
  talk<ReasonFlags>(command, context, async ({ client, terminal }, { reason }, args) => {
    for (const name of wordsOf(args)) {
      const body = reason === undefined ? {} : { reason };
      await client.call(clusterActionRoutes[action], { params: { name }, body });
      terminal.out(`cluster/${name} ${done}\n`);
    }
    return EXIT.ok;
  });
}
