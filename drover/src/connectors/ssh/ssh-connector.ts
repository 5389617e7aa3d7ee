import { CommandError } from "../../lib/command-error.ts";
import type { Command, CommandResult, Connector, RunOptions } from "../../ports/connector.ts";
import type { BorrowFileOptions, Lending, LendingOffer, LendsFiles } from "../../ports/lend-files.ts";
import type { ListedCommand, ListedResult, RunAllOptions, RunsLists } from "../../ports/run-all.ts";
import type { SendFileOptions, SendsFiles } from "../../ports/send-file.ts";
import { findStop } from "../watch-for-stop.ts";
import { borrowFile } from "./borrow-file.ts";
import { checkCommand, makeCommandScript, startWith, type Tie } from "./command-script.ts";
import type { SshConnection } from "./connection.ts";
import { describeEnd, describeRefusal, type Occasion } from "./describe-failure.ts";
import { fetchFile } from "./fetch-file.ts";
import { blameThisMachine, type FileTransfer, getFile, putFile } from "./files.ts";
import { MachineLending } from "./lend-files.ts";
import { makeFindMarkedScript, readMarked } from "./marked-processes.ts";
import { runList } from "./run-list.ts";
import { endSessions, runScript, type ScriptEnd, type ScriptRequest } from "./run-script.ts";
import { sendFile } from "./send-file.ts";
import type { RunAs } from "./starter.ts";

export interface SshConnectorOptions {
  /** For people. */
  readonly host: string;
  /** For other machines. */
  readonly address: string;
  readonly runAs: RunAs;
  /** The same host over a connection of its own. */
  readonly lender?: (() => SshConnector) | undefined;
  readonly graceMs: number;
  readonly drainMs: number;
  readonly keepBytes: number;
  readonly largestFileBytes: number;
}

/** Runs commands on a host that is reached by SSH, as the user that logs in or as root. */
export class SshConnector implements Connector, RunsLists, SendsFiles, LendsFiles {
  readonly host: string;
  readonly #connection: SshConnection;
  readonly #options: SshConnectorOptions;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(connection: SshConnection, options: SshConnectorOptions) {
    this.host = options.host;
    this.#connection = connection;
    this.#options = options;
  }

  run(command: Command, options: RunOptions = {}): Promise<CommandResult> {
    return this.#follow(this.#run(command, options));
  }

  runAll(commands: readonly ListedCommand[], options: RunAllOptions = {}): Promise<readonly (ListedResult | null)[]> {
    return this.#follow(this.#runAll(commands, options));
  }

  put(path: string, content: Uint8Array, options: { mode?: number } = {}): Promise<void> {
    return this.#follow(putFile(this.#files(), path, content, options.mode));
  }

  get(path: string): Promise<Uint8Array> {
    return this.#follow(getFile(this.#files(), path, this.#options.largestFileBytes));
  }

  sendFile(from: string, to: string, options: SendFileOptions = {}): Promise<void> {
    return this.#follow(blameThisMachine(from, sendFile(this.#files(), from, to, options)));
  }

  fetchFile(from: string, to: string, options: SendFileOptions = {}): Promise<void> {
    return this.#follow(blameThisMachine(to, fetchFile(this.#files(), from, to, options)));
  }

  lendFiles(folder: string): Lending {
    return new MachineLending(
      { machine: this, holder: this.#options.lender?.() ?? this },
      this.#options.address,
      folder,
    );
  }

  borrowFile(offer: LendingOffer, to: string, options: BorrowFileOptions): Promise<void> {
    return borrowFile(this, offer, to, options);
  }

  async findMarked(mark: string): Promise<readonly number[]> {
    return (await this.#findMarked(mark)).map(({ pid }) => pid);
  }

  async endMarked(mark: string): Promise<void> {
    const { runAs, graceMs, drainMs } = this.#options;
    const sessions = [...new Set((await this.#findMarked(mark)).map(({ session }) => session))];
    if (sessions.length === 0) return;
    const left = await endSessions(this.#connection, { runAs, sessions, graceMs, drainMs });
    if (left?.length === 0) return;
    const who = left === null ? "" : ` ${left.join(", ")}`;
    const note = `The processes${who} could not be ended; look for them with ps and end them.`;
    throw new CommandError({
      reason: left === null ? "outcome-unknown" : "failed",
      host: this.host,
      argv: ["kill"],
      note,
    });
  }

  /** The connection itself stays, for others who use it. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("The connection to this host was closed."));
    await Promise.allSettled(this.#running);
  }

  async #follow<T>(running: Promise<T>): Promise<T> {
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async #run(command: Command, options: RunOptions): Promise<CommandResult> {
    const occasion: Occasion = { host: this.host, command, options };
    const signals = this.#listSignals(options.signal);
    const stopped = findStop(signals, options.deadlineMs);
    const end = stopped
      ? { stopped, notStarted: true }
      : await this.#start(occasion, {
          signals,
          deadlineMs: options.deadlineMs,
          onLine: options.onLine,
          stdin: command.stdin,
          keepInput: options.tied === true,
          ...(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
          ...(options.keepBytes === undefined ? {} : { keepBytes: options.keepBytes }),
        });
    const failure = describeEnd(occasion, end);
    if (failure) throw failure;
    const { exitCode, signal, stdout, stderr, dropped } = end as ScriptEnd;
    return { exitCode, signal, stdout, stderr, dropped };
  }

  async #runAll(commands: readonly ListedCommand[], options: RunAllOptions) {
    const [first] = commands;
    if (first === undefined) return [];
    const occasion: Occasion = { host: this.host, command: first, options };
    const { deadlineMs, ...others } = options;
    const signals = this.#listSignals(options.signal);
    const stopped = findStop(signals, deadlineMs);
    if (stopped) throw describeEnd(occasion, { stopped, notStarted: true }) ?? stopped;
    try {
      for (const command of commands) checkCommand(command);
      const request = { ...this.#options, ...others, commands, signals, deadlineMs };
      const end = await runList(this.#connection, request);
      const failure = describeEnd(occasion, end);
      if (failure) throw failure;
      return end.results;
    } catch (error) {
      throw error instanceof CommandError ? error : describeRefusal(occasion, error);
    }
  }

  #listSignals(signal: AbortSignal | undefined): AbortSignal[] {
    return [this.#closing.signal, ...(signal ? [signal] : [])];
  }

  async #start(occasion: Occasion, request: Partial<ScriptRequest>): Promise<ScriptEnd> {
    try {
      checkCommand(occasion.command);
      return await this.#obey({ ...request, script: makeCommandScript(occasion.command, this.#tie(occasion)) });
    } catch (error) {
      throw describeRefusal(occasion, error);
    }
  }

  #tie({ command, options }: Occasion): Tie | null {
    if (options.tied !== true) return null;
    const graceMs = options.graceMs ?? this.#options.graceMs;
    return { graceMs, inputBytes: command.stdin === undefined ? null : Buffer.byteLength(command.stdin) };
  }

  #obey(request: Partial<ScriptRequest> & Pick<ScriptRequest, "script">): Promise<ScriptEnd> {
    const { runAs, graceMs, drainMs, keepBytes } = this.#options;
    const signals = [...new Set([this.#closing.signal, ...(request.signals ?? [])])];
    return runScript(this.#connection, { runAs, graceMs, drainMs, keepBytes, ...request, signals });
  }

  #files(): FileTransfer {
    return { host: this.host, obey: (request) => this.#obey(request), endMarked: (mark) => this.endMarked(mark) };
  }

  async #findMarked(mark: string) {
    const command: Command = { argv: ["grep", mark] };
    const script = startWith(makeFindMarkedScript(mark));
    const occasion = { host: this.host, command, options: {} };
    const end = await this.#obey({ script, keepBytes: 1024 * 1024 }).catch((error: unknown) => {
      throw describeRefusal(occasion, error);
    });
    const failure = describeEnd(occasion, end);
    if (failure) throw failure;
    return readMarked(end.stdout);
  }
}
