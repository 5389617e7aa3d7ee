import { isAbsolute } from "node:path";
import { CommandError } from "../../lib/command-error.ts";
import type { Command, CommandResult, Connector, RunOptions } from "../../ports/connector.ts";
import { findStop } from "../watch-for-stop.ts";
import { joinEnvironments } from "./child-environment.ts";
import { describeFileFailure, describeStartFailure, describeStop, type Occasion } from "./describe-failure.ts";
import { HelperPool, type HelperPoolOptions } from "./helper/helper-pool.ts";
import type { HelperProcess } from "./helper/helper-process.ts";
import { endMarkedProcesses, findMarkedProcesses, MARK_VARIABLE } from "./marked-processes.ts";
import { type ProcessEnd, type ProcessRequest, runProcess } from "./run-process.ts";
import { readFileSafely, writeFileSafely } from "./transfer-files.ts";
import { TurnTaking } from "./turn-taking.ts";

export interface LocalConnectorOptions {
  /** What every child gets; see `makeChildEnvironment`. Nothing else of the parent's reaches it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly host?: string;
  /** Where commands run that name no folder. */
  readonly directory?: string;
  readonly graceMs?: number;
  /** How long to wait for the end of the output after the end of the command. */
  readonly drainMs?: number;
  readonly keepBytes?: number;
  readonly largestFileBytes?: number;
  /** Processes that start commands in place of this one when there are many. Left out: all are started from here. */
  readonly helpers?: HelperPoolOptions;
}

const DEFAULTS = {
  host: "local",
  directory: "/",
  graceMs: 5000,
  drainMs: 100,
  keepBytes: 64 * 1024,
  largestFileBytes: 256 * 1024 * 1024,
} as const;

/** Runs commands on the machine that Drover itself runs on. The only place where it starts processes. */
export class LocalConnector implements Connector {
  readonly host: string;
  readonly #options: Required<Omit<LocalConnectorOptions, "helpers">>;
  readonly #helpers: HelperPool | null;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #turns = new TurnTaking();

  constructor({ helpers, ...options }: LocalConnectorOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#helpers = helpers === undefined ? null : new HelperPool(helpers);
    this.host = this.#options.host;
  }

  async run(command: Command, options: RunOptions = {}): Promise<CommandResult> {
    const running = this.#helpers?.count(() => this.#run(command, options)) ?? this.#run(command, options);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async put(path: string, content: Uint8Array, options: { mode?: number } = {}): Promise<void> {
    try {
      requireAbsolute(path);
      await writeFileSafely(path, content, options.mode);
    } catch (error) {
      throw describeFileFailure(this.host, path, "written", error);
    }
  }

  async get(path: string): Promise<Uint8Array> {
    try {
      requireAbsolute(path);
      return await readFileSafely(path, this.#options.largestFileBytes);
    } catch (error) {
      throw describeFileFailure(this.host, path, "read", error);
    }
  }

  async findMarked(mark: string): Promise<readonly number[]> {
    return (await findMarkedProcesses(mark)).map(({ pid }) => pid);
  }

  async endMarked(mark: string): Promise<void> {
    const survivors = await endMarkedProcesses(mark, this.#options.graceMs);
    if (survivors.length === 0) return;
    const note = `The processes ${survivors.join(", ")} could not be ended; look for them with ps and end them.`;
    throw new CommandError({ reason: "failed", host: this.host, argv: ["kill"], note });
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("The connection to this host was closed."));
    await Promise.allSettled(this.#running);
    this.#helpers?.close();
  }

  async #run(command: Command, options: RunOptions): Promise<CommandResult> {
    const signals = [this.#closing.signal, ...(options.signal ? [options.signal] : [])];
    const directory = command.directory ?? this.#options.directory;
    const occasion = { host: this.host, command, directory, options };
    const helper = await this.#chooseHelper(options);
    if (helper === null) await this.#turns.take();
    const stop = findStop(signals, options.deadlineMs);
    if (stop) throw describeStop(occasion, stop);
    const end = await this.#start(occasion, signals, (request) =>
      helper === null ? runProcess(request) : helper.run(request),
    );
    if (end.stopped) throw describeStop(occasion, end.stopped, end);
    const { exitCode, signal, stdout, stderr, dropped } = end;
    return { exitCode, signal, stdout, stderr, dropped };
  }

  /** What nobody follows line by line need not come through this process; what is tied to its life must not. */
  async #chooseHelper({ tied, onLine }: RunOptions): Promise<HelperProcess | null> {
    if (tied === true) return (await this.#helpers?.wait()) ?? null;
    return onLine === undefined ? (this.#helpers?.find() ?? null) : null;
  }

  async #start(
    occasion: Occasion,
    signals: readonly AbortSignal[],
    run: (request: ProcessRequest) => Promise<ProcessEnd>,
  ): Promise<ProcessEnd> {
    const { command, directory, options } = occasion;
    try {
      requireAbsolute(directory);
      return await run({
        argv: command.argv,
        stdin: command.stdin,
        environment: joinEnvironments(this.#options.environment, {
          ...command.environment,
          ...(command.mark === undefined ? {} : { [MARK_VARIABLE]: command.mark }),
        }),
        directory,
        signals,
        deadlineMs: options.deadlineMs,
        graceMs: options.graceMs ?? this.#options.graceMs,
        drainMs: this.#options.drainMs,
        keepBytes: options.keepBytes ?? this.#options.keepBytes,
        onLine: options.onLine,
      });
    } catch (error) {
      throw describeStartFailure(occasion, error);
    }
  }
}

/** Relative to what, would depend on where Drover was started. */
function requireAbsolute(path: string): void {
  if (!isAbsolute(path)) throw new TypeError(`${JSON.stringify(path)} is not an absolute path.`);
}
