import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { addOptions, readOptions } from "../command-options.ts";

/** The same as `drover store backup`, under the name one looks for. */
export function define(command: Command, { handlers, finish }: CommandContext): void {
  addExamples(addOptions(command.argument("<file>", "where to write it"), "store"), "drover backup drover-backup.db");
  command.action((file: string) => finish(handlers.backUp(readOptions(command), file)));
}
