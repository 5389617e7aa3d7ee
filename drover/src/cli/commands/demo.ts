import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { addOptions, readOptions } from "../command-options.ts";
import { addDemoOptions, readDemoOptions } from "../demo-options.ts";

export function define(command: Command, { handlers, finish }: CommandContext): void {
  addOptions(addDemoOptions(command), "all");
  addExamples(command, "drover demo --clusters 5");
  command.action(() => finish(handlers.demo(readOptions(command), readDemoOptions(command))));
}
