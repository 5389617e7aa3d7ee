import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { addOptions, readOptions } from "../command-options.ts";

/** The same as `drover store restore`, under the name one looks for. */
export function define(command: Command, { handlers, finish }: CommandContext): void {
  addOptions(command.argument("<file>", "the backup"), "store");
  addExamples(command, "drover restore drover-backup.db --data-dir ./restored --master-key-file ./master.key");
  command.action((file: string) => finish(handlers.restore(readOptions(command), file)));
}
