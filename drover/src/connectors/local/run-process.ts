import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunOptions } from "../../ports/connector.ts";
import { type CapturedOutput, captureOutput, ignore } from "../capture-output.ts";
import { type StopRequest, watchForStop } from "../watch-for-stop.ts";
import { endSession } from "./end-session.ts";

export interface ProcessRequest {
  readonly argv: readonly [string, ...string[]];
  readonly stdin: string | Uint8Array | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly directory: string;
  readonly signals: readonly AbortSignal[];
  readonly deadlineMs: number | undefined;
  readonly graceMs: number;
  /** How long the output may stay open after the end of the process. */
  readonly drainMs: number;
  readonly keepBytes: number;
  readonly onLine: RunOptions["onLine"];
  /** Told at once, before anything else can happen. */
  readonly onStart?: (pid: number) => void;
}

export interface ProcessEnd extends Omit<CapturedOutput, "failure"> {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Null when it ended by itself. */
  readonly stopped: StopRequest | null;
  /** Processes that could not be ended. */
  readonly survivors: readonly number[];
}

type Exit = readonly [exitCode: number | null, signal: NodeJS.Signals | null];

/**
 * Runs one process to its end, as the leader of a session of its own. Rejects only when it could not be started.
 *
 * running → (exit) draining → done
 * running → (stop) ending: all of its session is ended → draining → done
 * An exit counts before a stop, so what ended by itself is never reported as stopped.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  const child = await startProcess(request);
  const exited = new Promise<Exit>((resolve) => child.once("exit", (code, signal) => resolve([code, signal])));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = watchForStop(request.signals, request.deadlineMs);
  const output = captureOutput(child, {
    onLine: request.onLine,
    keepBytes: request.keepBytes,
    onFailure: (error) => stop.request(blameListener(error)),
  });
  feed(child, request.stdin);

  const first = await Promise.race([exited, stop.requested]);
  stop.end();
  const stopped = isExit(first) ? null : first;
  const survivors = stopped ? await endSession(child.pid ?? 0, request.graceMs) : [];
  const [exitCode, signal] = await (survivors.length > 0 ? orElse(exited, request.drainMs) : exited);
  await drain(closed, request.drainMs);
  child.stdin?.destroy();
  if (survivors.length > 0) child.unref();
  const { failure, ...captured } = output.finish();
  const blamed = failure ? blameListener(failure.error) : null;
  return { exitCode, signal, stopped: stopped ?? blamed, survivors, ...captured };
}

export function blameListener(cause: unknown): StopRequest {
  return { reason: "aborted", cause, note: "What it wrote could not be taken further." };
}

async function startProcess(request: ProcessRequest): Promise<ChildProcess> {
  const [program, ...args] = request.argv;
  const child = spawn(program, args, {
    cwd: request.directory,
    env: request.environment,
    detached: true,
    shell: false,
    stdio: [request.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  if (child.pid === undefined) throw (await once(child, "error"))[0];
  request.onStart?.(child.pid);
  child.on("error", ignore);
  return child;
}

/** Whoever ends without reading its input breaks the pipe, which is no failure. */
function feed(child: ChildProcess, input: string | Uint8Array | undefined): void {
  if (input === undefined) return;
  child.stdin?.on("error", ignore);
  child.stdin?.end(input);
}

const isExit = (first: Exit | StopRequest): first is Exit => Array.isArray(first);

async function orElse(exited: Promise<Exit>, patienceMs: number): Promise<Exit> {
  return await Promise.race([exited, sleep(patienceMs, [null, null] as const)]);
}

/**
 * Waits until the output is closed, but not for long: another process may hold it open. What the command itself wrote is
 * read in any case. The loop learns of an exit before it reads the output if the process ends while the loop handles
 * other events; and if this program is busy for longer than the limit, the timer comes before the next read. Therefore
 * the loop gets one more turn to read after the limit.
 */
function drain(closed: Promise<void>, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => setImmediate(resolve), drainMs);
    void closed.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
