import { UnreachableError } from "../../lib/unreachable-error.ts";
import type { RunOptions } from "../../ports/connector.ts";
import { type CapturedOutput, OutputCapture } from "../capture-output.ts";
import { type StopRequest, watchForStop } from "../watch-for-stop.ts";
import { awaitOutput, awaitRest, awaitWholeOutput, type Output, type OutputEnd } from "./await-output.ts";
import { startWith } from "./command-script.ts";
import type { SshConnection, Taking } from "./connection.ts";
import { makeEndScript, readSurvivors } from "./end-session-script.ts";
import type { RunAs, Starter } from "./starter.ts";

export interface ScriptRequest {
  readonly runAs: RunAs;
  /** Must say how far it came before anything else; see `command-script.ts`. */
  readonly script: string;
  readonly stdin?: InputSource | undefined;
  /** Its end tells the host that nobody is here any more; it comes only with the end of the script. */
  readonly keepInput?: boolean;
  readonly signals: readonly AbortSignal[];
  readonly deadlineMs?: number | undefined;
  readonly graceMs: number;
  /** How long the output may be silent after the end of the process, before it is taken to be held by somebody else. */
  readonly drainMs: number;
  readonly keepBytes: number;
  readonly onLine?: RunOptions["onLine"];
  /** Gets the raw output in place of everything else, and all of it: nobody else may hold that output. */
  readonly onBytes?: (chunk: Buffer) => void;
  /** For what ends others, which must not wait for them. */
  readonly urgent?: boolean;
}

export type InputSource = string | Uint8Array | ((starter: Starter, gone: Promise<unknown>) => Promise<void>);

export interface ScriptEnd extends Omit<CapturedOutput, "failure"> {
  /** The first word, empty when none came. */
  readonly word: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stopped: StopRequest | null;
  /** Nothing was handed to the host. */
  readonly notStarted: boolean;
  /** The connection broke before the end and all output were seen: whatever was to be done may have been done. */
  readonly lost: boolean;
  /** Processes that could not be ended; null when the host could not be asked. */
  readonly survivors: readonly number[] | null;
}

/** How long the host may be silent while it ends something: it says again and again that it is at work. */
const END_SILENCE_MS = 10_000;
/** How long the exit of a process may take to be told once the host has said that the process is gone. */
const END_REPORT_MS = 30_000;

interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly lost: boolean;
}

/**
 * Has a starter obey one script to its end. Rejects as `SshConnection.take`, when nothing was begun.
 *
 * An exit counts before a stop, so what ended by itself is never reported as stopped. What cannot be ended, because
 * nothing comes through any more, is reported as such, and the connection given up.
 */
export async function runScript(connection: SshConnection, request: ScriptRequest): Promise<ScriptEnd> {
  const stop = watchForStop(request.signals, request.deadlineMs);
  try {
    const starter = await takeUnlessStopped(connection, request, stop.requested);
    if (!("obey" in starter)) return { ...NOTHING, stopped: starter };
    return await new ScriptRun(connection, starter, request, stop).finish();
  } finally {
    stop.end();
  }
}

const NOTHING: ScriptEnd = {
  word: "",
  exitCode: null,
  signal: null,
  stopped: null,
  notStarted: true,
  lost: false,
  survivors: [],
  stdout: "",
  stderr: "",
  dropped: { stdout: 0, stderr: 0 },
};

/** The stop, when that came first. */
export async function takeUnlessStopped(
  connection: SshConnection,
  taking: Taking,
  stopped: Promise<StopRequest>,
): Promise<Starter | StopRequest> {
  const taken = connection.take(taking);
  const first = await Promise.race([taken, stopped]);
  if ("obey" in first) return first;
  const isSilent = first.reason === "timed-out" && !connection.isTrusted;
  connection.doubt();
  void taken.then((late) => connection.giveBack(late)).catch(() => {});
  return isSilent ? { ...first, cause: didNotAnswer(connection.name) } : first;
}

/** For what took too long because nobody was there. */
export const didNotAnswer = (host: string): UnreachableError =>
  new UnreachableError({ reason: "timed-out", host, detail: "It did not answer." });

class ScriptRun {
  readonly #connection: SshConnection;
  readonly #starter: Starter;
  readonly #request: ScriptRequest;
  readonly #stop: ReturnType<typeof watchForStop>;
  readonly #capture: OutputCapture;
  readonly #exited: Promise<Exit>;
  readonly #output: Output;
  #word = "";
  #beginning: Buffer | null = Buffer.alloc(0);
  #lastHeard = 0;
  #failure: StopRequest | null = null;

  constructor(
    connection: SshConnection,
    starter: Starter,
    request: ScriptRequest,
    stop: ReturnType<typeof watchForStop>,
  ) {
    this.#connection = connection;
    this.#starter = starter;
    this.#request = request;
    this.#stop = stop;
    this.#capture = new OutputCapture({
      onLine: request.onLine,
      keepBytes: request.keepBytes,
      onFailure: (cause) => this.#blame(cause),
    });
    let exit: (exit: Exit) => void = () => {};
    let close: (isWhole: boolean) => void = () => {};
    this.#exited = new Promise((resolve) => {
      exit = resolve;
    });
    const closed = new Promise<boolean>((resolve) => {
      close = resolve;
    });
    this.#output = {
      closed,
      stopRequested: stop.requested,
      heardAt: () => this.#lastHeard,
      askHost: () => starter.askHost(),
      drainMs: request.drainMs,
    };
    const onClose = (isWhole: boolean) => {
      exit({ exitCode: null, signal: null, lost: true });
      close(isWhole);
    };
    starter.listen({
      onOutput: (stream, chunk) => this.#hear(stream, chunk),
      onExit: (exitCode, signal) => exit({ exitCode, signal, lost: false }),
      onClose,
    });
    if (starter.isClosed) onClose(starter.isWhole);
    starter.obey(request.script);
    this.#feed();
  }

  async finish(): Promise<ScriptEnd> {
    const first = await Promise.race([this.#exited, this.#stop.requested]);
    const early = "reason" in first ? first : null;
    const survivors = early ? await this.#end() : [];
    const patience = survivors?.length === 0 ? END_REPORT_MS : this.#request.drainMs;
    const exit = early ? await orNothing(this.#exited, patience) : (first as Exit);
    const rest = await this.#drain(early);
    const stopped = typeof rest === "object" ? rest : early;
    this.#starter.listen(null);
    this.#starter.dismiss();
    const { failure: _, ...captured } = this.#capture.finish();
    return {
      ...captured,
      word: this.#word,
      ...exit,
      lost: (exit.lost || rest === "lost") && stopped === null,
      stopped: stopped ?? this.#failure,
      notStarted: false,
      survivors,
    };
  }

  #hear(stream: "stdout" | "stderr", chunk: Buffer): void {
    this.#lastHeard = performance.now();
    const rest = stream === "stdout" && this.#beginning !== null ? this.#hearFirstWord(chunk) : chunk;
    if (rest.length === 0) return;
    if (stream === "stdout" && this.#request.onBytes) {
      try {
        this.#request.onBytes(rest);
      } catch (error) {
        this.#blame(error);
      }
    } else this.#capture.push(stream, rest);
  }

  #hearFirstWord(chunk: Buffer): Buffer {
    const whole = Buffer.concat([this.#beginning ?? Buffer.alloc(0), chunk]);
    const end = whole.indexOf(0x0a);
    if (end === -1) {
      this.#beginning = whole;
      return Buffer.alloc(0);
    }
    this.#beginning = null;
    const [nonce, word = ""] = whole.toString("latin1", 0, end).split(" ");
    if (nonce === this.#starter.nonce) this.#word = word;
    return whole.subarray(end + 1);
  }

  #blame(cause: unknown): void {
    this.#failure ??= { reason: "aborted", cause, note: "What it wrote could not be taken further." };
    this.#stop.request(this.#failure);
  }

  /** Whoever ends without reading its input does so without harm. */
  #feed(): void {
    const { stdin } = this.#request;
    if (typeof stdin === "function") {
      stdin(this.#starter, this.#exited).then(
        () => this.#starter.endInput(),
        (error: unknown) => this.#blame(error),
      );
      return;
    }
    if (stdin !== undefined) this.#starter.write(stdin);
    if (!this.#request.keepInput) this.#starter.endInput();
  }

  async #end(): Promise<readonly number[] | null> {
    const { runAs, graceMs, drainMs, urgent } = this.#request;
    const ended = urgent
      ? null
      : await endSessions(this.#connection, {
          runAs,
          sessions: [this.#starter.pid],
          graceMs,
          drainMs,
        });
    if (ended === null) this.#connection.abandon();
    return ended;
  }

  async #drain(stopped: StopRequest | null): Promise<OutputEnd> {
    if (stopped !== null) {
      await awaitRest(this.#output);
      return stopped;
    }
    const end = await (this.#request.onBytes ? awaitWholeOutput : awaitOutput)(this.#output);
    // It has ended, but nobody knows what the host has still to say.
    if (typeof end === "object") this.#connection.doubt();
    return end;
  }
}

export interface EndRequest {
  readonly runAs: RunAs;
  readonly sessions: readonly number[];
  readonly graceMs: number;
  readonly drainMs: number;
}

/** Ends sessions on the host. Answers with those who are left, or with null when the host does not answer. */
export async function endSessions(connection: SshConnection, request: EndRequest): Promise<readonly number[] | null> {
  const { runAs, sessions, graceMs, drainMs } = request;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), END_SILENCE_MS);
  const end = await runScript(connection, {
    runAs,
    script: startWith(makeEndScript(sessions, graceMs)),
    signals: [silence.signal],
    onLine: () => void timer.refresh(),
    graceMs: 0,
    drainMs,
    keepBytes: 64 * 1024,
    urgent: true,
  }).catch(() => null);
  clearTimeout(timer);
  if (end === null || end.stopped || end.lost) return null;
  return readSurvivors(end.stdout);
}

function orNothing(exited: Promise<Exit>, patienceMs: number): Promise<Exit> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ exitCode: null, signal: null, lost: false }), patienceMs);
    void exited.then((exit) => {
      clearTimeout(timer);
      resolve(exit);
    });
  });
}
