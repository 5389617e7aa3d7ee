import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { addOptions, readOptions } from "../command-options.ts";

export function define(command: Command, { handlers, finish }: CommandContext): void {
  addExamples(addOptions(command, "all"), "drover server --port 8421");
  command.action(() => finish(handlers.server(readOptions(command))));
}
