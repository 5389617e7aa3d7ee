import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { addOptions, readOptions } from "../command-options.ts";

/** Flags that are not handed on to the process that is started. */
const DETACH = new Set(["--detach", "-d"]);

export function define(command: Command, { handlers, finish }: CommandContext): void {
  addOptions(command.option("-d, --detach", "go on in the background, once it answers"), "all");
  addExamples(command, "drover up", "drover up --detach", "drover up --port 9000 --data-dir ./data");
  command.action(async (given: { detach?: boolean }) => {
    const options = readOptions(command);
    const args = readArguments(command);
    await finish(given.detach === true ? handlers.upDetached(options, args) : handlers.up(options));
  });
}

/** What was written behind `drover up`, without the wish to go on in the background. */
function readArguments(command: Command): readonly string[] {
  const words = (command.parent as (Command & { rawArgs?: readonly string[] }) | null)?.rawArgs ?? [];
  return words.slice(words.indexOf(command.name()) + 1).filter((word) => !DETACH.has(word));
}
