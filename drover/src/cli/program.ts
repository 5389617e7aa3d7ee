import { Command, CommanderError } from "commander";
import type { Options } from "../config/options.ts";
import { addOptions, readOptions } from "./command-options.ts";
import { addDemoOptions, type DemoOptions, readDemoOptions } from "./demo-options.ts";
import { describeFailure } from "./describe-failure.ts";

/** What the commands do; main/ brings it. Each answers the exit code. */
export interface Handlers {
  /** Runs until it is told to stop. */
  readonly up: (options: Options) => Promise<number>;
  /** The same. */
  readonly worker: (options: Options) => Promise<number>;
  readonly reconcileOnce: (options: Options) => Promise<number>;
  readonly demo: (options: Options, asked: DemoOptions) => Promise<number>;
  readonly backUp: (options: Options, file: string) => Promise<number>;
  readonly restore: (options: Options, file: string) => Promise<number>;
  readonly check: (options: Options) => Promise<number>;
  readonly rotateKey: (options: Options, newKeyFile: string) => Promise<number>;
}

export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Bad usage, as against something that went wrong. */
const USAGE_EXIT_CODE = 2;

/** Runs one command line and answers its exit code: 0 done, 1 failed, 2 not understood; a command may add others. */
export async function runCli(args: readonly string[], version: string, handlers: Handlers, terminal: Terminal) {
  let exitCode = 0;
  const finish = async (running: Promise<number>) => {
    exitCode = await running;
  };
  const program = buildProgram(version, handlers, finish).configureOutput({
    writeOut: terminal.out,
    writeErr: terminal.err,
  });
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    command.exitOverride().copyInheritedSettings(program);
  }
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

function buildProgram(version: string, handlers: Handlers, finish: (running: Promise<number>) => Promise<void>) {
  const program = new Command("drover")
    .description("Keeps Kubernetes clusters the way their owners declared them.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .showHelpAfterError("(`--help` lists what there is.)");
  addOptions(
    program.command("up").description("start Drover in one process: API, web page, store and worker"),
    "all",
  ).action((_given, command: Command) => finish(handlers.up(readOptions(command))));
  addOptions(program.command("worker").description("start a worker beside others on the same store"), "all").action(
    (_given, command: Command) => finish(handlers.worker(readOptions(command))),
  );
  addOptions(program.command("reconcile").description("bring clusters to what was declared, and end (for cron)"), "all")
    .requiredOption("--once", "look at all clusters, do what is to be done now, end; exit code 1 when any failed")
    .action((_given, command: Command) => finish(handlers.reconcileOnce(readOptions(command))));
  addOptions(
    addDemoOptions(
      program.command("demo").description("fill a fleet of simulated clusters and judge what comes of it"),
    ),
    "all",
  ).action((_given, command: Command) => finish(handlers.demo(readOptions(command), readDemoOptions(command))));
  const store = program.command("store").description("look after the store");
  const add = (name: string, about: string) => addOptions(store.command(name).description(about), "store");
  add("backup <file>", "write a consistent copy of the store, also while Drover runs").action(
    (file: string, _given, command: Command) => finish(handlers.backUp(readOptions(command), file)),
  );
  add("restore <file>", "fill a new, empty store from a backup").action((file: string, _given, command: Command) =>
    finish(handlers.restore(readOptions(command), file)),
  );
  add("check", "check that the store can be read and the audit log fits together; exit code 3 if not").action(
    (_given, command: Command) => finish(handlers.check(readOptions(command))),
  );
  add("rotate-key <new-key-file>", "put every secret under a new master key").action(
    (file: string, _given, command: Command) => finish(handlers.rotateKey(readOptions(command), file)),
  );
  return program;
}
