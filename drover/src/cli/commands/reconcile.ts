import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { addOptions, readOptions } from "../command-options.ts";

export function define(command: Command, { handlers, finish }: CommandContext): void {
  command.requiredOption("--once", "look at all clusters, do what is to be done now, end; exit code 1 when any failed");
  addExamples(addOptions(command, "all"), "drover reconcile --once");
  command.action(() => finish(handlers.reconcileOnce(readOptions(command))));
}
