import { Command, CommanderError, Option as Flag } from "commander";
import { loadOptions } from "../config/load-options.ts";
import type { Options } from "../config/options.ts";
import { OPTION_NAMES, OPTIONS, type OptionName } from "../config/options.ts";
import { describeFailure } from "./describe-failure.ts";

/** What the commands do; main/ brings it. */
export interface Handlers {
  /** Runs until it is told to stop, and answers the exit code. */
  readonly up: (options: Options) => Promise<number>;
}

export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Bad usage, as against something that went wrong. */
const USAGE_EXIT_CODE = 2;

/** Runs one command line and answers its exit code: 0 done, 1 failed, 2 not understood. */
export async function runCli(args: readonly string[], version: string, handlers: Handlers, terminal: Terminal) {
  let exitCode = 0;
  const program = new Command("drover")
    .description("Keeps Kubernetes clusters the way their owners declared them.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError("(`--help` lists what there is.)");
  addUp(program).action(async (given: Record<string, string>) => {
    exitCode = await handlers.up(loadOptions({ flags: pickFlags(given), configFile: given.config }));
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
    const failure = describeFailure(error);
    terminal.err(`${failure.text}\n`);
    return failure.usage ? USAGE_EXIT_CODE : 1;
  }
}

function addUp(program: Command): Command {
  const command = program
    .command("up")
    .description("start Drover in one process: API, web page and store")
    .option("--config <file>", "YAML file with options (env: DROVER_CONFIG)");
  for (const name of OPTION_NAMES) {
    const { flag, env, type, description, default: preset } = OPTIONS[name];
    const shown = preset.replace("{data}", "~/.local/share").replace("{dataDir}", "<data-dir>");
    const notes = [shown === "" ? "" : `default: ${shown}`, `env: ${env}`].filter((note) => note !== "").join(", ");
    const word = type.word.replaceAll("\\", "").replace("path or URL", "path|url");
    command.addOption(new Flag(`${flag} <${word.includes(" ") ? "value" : word}>`, `${description} (${notes})`));
  }
  return command;
}

/** Commander names values after their flags; the table has names of its own. */
function pickFlags(given: Readonly<Record<string, string>>): Partial<Record<OptionName, string>> {
  const flags: Partial<Record<OptionName, string>> = {};
  for (const name of OPTION_NAMES) {
    const value = given[new Flag(OPTIONS[name].flag).attributeName()];
    if (value !== undefined) flags[name] = value;
  }
  return flags;
}
