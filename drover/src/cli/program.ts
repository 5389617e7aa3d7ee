import { Command, CommanderError } from "commander";
import type { CommandContext, CommandEntry } from "./command.ts";
import { COMMANDS } from "./commands/index.ts";
import { EXIT, EXIT_CODES_HELP } from "./exit-codes.ts";
import type { Handlers } from "./handlers.ts";
import { dropObjectWords } from "./object-words.ts";
import type { Terminal } from "./terminal.ts";

/** Runs one command line and answers its exit code. Only what the command needs is loaded. */
export async function runCli(given: readonly string[], version: string, handlers: Handlers, terminal: Terminal) {
  const args = dropObjectWords(given);
  let exitCode: number = EXIT.ok;
  const finish = async (running: Promise<number>) => {
    exitCode = await running;
  };
  const context: CommandContext = {
    ...{ version, handlers, terminal, finish },
    loadProgram: (name) => buildProgram(context, name),
  };
  const program = await buildProgram(context, nameCommand(args));
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { describeFailure } = await import("./describe-failure.ts");
    const failure = describeFailure(error);
    terminal.err(`${failure.text}\n`);
    return failure.usage ? EXIT.usage : EXIT.error;
  }
}

/** The program with all its commands, of which the one named is loaded; `*` loads every one. */
export async function buildProgram(context: CommandContext, wanted: string | undefined): Promise<Command> {
  const { version, terminal } = context;
  const program = new Command("drover")
    .description("Keeps Kubernetes clusters the way their owners declared them.")
    .usage("<command> [options]")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", `\n${EXIT_CODES_HELP}\n\n\`drover <command> --help\` shows options and examples.`)
    .showHelpAfterError("(`--help` lists what there is.)")
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .exitOverride()
    // What stands behind the word of a subcommand is the subcommand's, also where both know it.
    .enablePositionalOptions();
  for (const entry of COMMANDS) {
    const command = addCommand(program, entry);
    if (wanted !== "*" && wanted !== entry.name && entry.aliases?.includes(wanted ?? "") !== true) continue;
    (await entry.load()).define(command, context);
    inherit(command, program);
  }
  return program;
}

function addCommand(program: Command, { name, aliases = [], summary, group, hidden }: CommandEntry): Command {
  const command = program
    .command(name, { hidden: hidden === true })
    .description(summary)
    .aliases(aliases)
    .helpGroup(group);
  return inherit(command, program);
}

/** A command that was defined later has to be told what the program was told. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent).exitOverride();
  for (const child of command.commands) inherit(child, command);
  return command;
}

/** The first word that is no option: the options of the program itself take no values. */
function nameCommand(args: readonly string[]): string | undefined {
  const words = args.filter((word) => !word.startsWith("-"));
  return words[0] === "help" ? words[1] : words[0];
}
