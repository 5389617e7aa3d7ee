import type { Command } from "commander";
import type { Handlers } from "./handlers.ts";
import type { Terminal } from "./terminal.ts";

/** What a command is given to work with. */
export interface CommandContext {
  readonly version: string;
  readonly terminal: Terminal;
  readonly handlers: Handlers;
  /** The program with all commands, of which one is loaded. */
  readonly loadProgram: (name: string | undefined) => Promise<Command>;
  /** Waits for the work of a command and keeps its exit code. */
  readonly finish: (running: Promise<number>) => Promise<void>;
}

/** One file of commands/: gives its command arguments, options, examples and what it does. */
export interface CommandModule {
  readonly define: (command: Command, context: CommandContext) => void;
}

/** A command as `drover --help` knows it, without anything of it being loaded. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly group: string;
  readonly hidden?: true;
  readonly load: () => Promise<CommandModule>;
}

/** Examples under the help of a command. Each works when it is pasted; a test runs them. */
export function addExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText("after", `\nExamples:\n${examples.map((example) => `  ${example}\n`).join("")}`);
}
