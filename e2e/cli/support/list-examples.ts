import type { Command } from "commander";
import type { CommandContext } from "../../../drover/src/cli/command.ts";
import type { Handlers } from "../../../drover/src/cli/handlers.ts";
import { buildProgram } from "../../../drover/src/cli/program.ts";
import { makeTestTerminal } from "../../../drover/test/terminal.ts";

export interface CommandHelp {
  /** As `drover store backup`. */
  readonly name: string;
  readonly examples: readonly string[];
}

/** The examples in the help of every command that does something, in the order of the help. */
export async function listExamples(): Promise<readonly CommandHelp[]> {
  const { terminal, seen } = makeTestTerminal();
  const context: CommandContext = {
    ...{ version: "test", terminal, handlers: {} as Handlers },
    finish: async () => {},
    loadProgram: (name) => buildProgram(context, name),
  };
  const program = await buildProgram(context, "*");
  const read = (command: Command, name: string): readonly CommandHelp[] => {
    if (command.commands.length > 0) return command.commands.flatMap((child) => read(child, `${name} ${child.name()}`));
    seen.out = "";
    command.outputHelp();
    const [, examples = ""] = seen.out.split("\nExamples:\n");
    return [
      {
        name,
        examples: examples.split("\n").flatMap((line) => /^ {2}(\S.*drover .*|drover .*)$/.exec(line)?.[1] ?? []),
      },
    ];
  };
  return program.commands
    .filter((command) => !command.name().startsWith("_") && command.name() !== "help")
    .flatMap((command) => read(command, `drover ${command.name()}`));
}
