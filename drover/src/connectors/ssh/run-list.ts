import { randomBytes } from "node:crypto";
import type { OutputStream } from "../../ports/connector.ts";
import type { ListedCommand, ListedResult } from "../../ports/run-all.ts";
import { type StopRequest, watchForStop } from "../watch-for-stop.ts";
import { makeInvocation } from "./command-script.ts";
import type { SshConnection } from "./connection.ts";
import { type FrameEnd, FrameReader } from "./frame-reader.ts";
import { endSessions, takeUnlessStopped } from "./run-script.ts";
import type { RunAs, Starter } from "./starter.ts";

export interface ListRequest {
  readonly runAs: RunAs;
  readonly commands: readonly ListedCommand[];
  readonly signals: readonly AbortSignal[];
  readonly deadlineMs: number | undefined;
  readonly graceMs: number;
  readonly drainMs: number;
  readonly keepBytes: number;
}

export interface ListEnd {
  readonly results: readonly (ListedResult | null)[];
  readonly stopped: StopRequest | null;
  readonly notStarted: boolean;
  readonly lost: boolean;
  readonly survivors: readonly number[] | null;
}

/** Has a starter run a list, and keeps the starter. Rejects as `SshConnection.take`, when nothing was begun. */
export async function runList(connection: SshConnection, request: ListRequest): Promise<ListEnd> {
  const stop = watchForStop(request.signals, request.deadlineMs);
  const nothing = { results: [], stopped: null, notStarted: false, lost: false, survivors: [] };
  try {
    const starter = await takeUnlessStopped(connection, { runAs: request.runAs, returns: true }, stop.requested);
    if (!("obey" in starter)) return { ...nothing, stopped: starter, notStarted: true };
    const results: (ListedResult | null)[] = request.commands.map(() => null);
    const first = await Promise.race([obeyList(starter, request, results), stop.requested]);
    if (first === "done") {
      connection.giveBack(starter);
      return { ...nothing, results };
    }
    if (first === "lost") return { ...nothing, lost: true };
    const { runAs, graceMs, drainMs } = request;
    const survivors = await endSessions(connection, { runAs, sessions: [starter.pid], graceMs, drainMs });
    if (survivors === null) connection.abandon();
    starter.dismiss();
    return { ...nothing, stopped: first, survivors };
  } finally {
    stop.end();
  }
}

function obeyList(starter: Starter, request: ListRequest, results: (ListedResult | null)[]): Promise<"done" | "lost"> {
  // Not the starter's own, which can be read in the list of processes there.
  const mark = randomBytes(18).toString("hex");
  return new Promise((resolve) => {
    const partial = new Map<number, Partial<Record<OutputStream, FrameEnd>>>();
    let ends = 0;
    const read = (stream: OutputStream) =>
      new FrameReader(mark, request.keepBytes, (frame) => {
        const [at, exitCode] = frame.words.map(Number);
        if (at === undefined || exitCode === undefined || Number.isNaN(at)) {
          ends++;
          if (ends === 2) resolve("done");
          return;
        }
        const both = { ...partial.get(at), [stream]: frame };
        partial.set(at, both);
        if (both.stdout && both.stderr) results[at] = join(exitCode, both.stdout, both.stderr);
      });
    const readers = { stdout: read("stdout"), stderr: read("stderr") };
    starter.listen({
      onOutput: (stream, chunk) => readers[stream].push(chunk),
      onExit: () => {},
      onClose: () => resolve("lost"),
    });
    if (starter.isClosed) resolve("lost");
    starter.obey(makeListScript(request.commands, mark));
  });
}

function join(exitCode: number, stdout: FrameEnd, stderr: FrameEnd): ListedResult {
  return {
    exitCode,
    stdout: stdout.text,
    stderr: stderr.text,
    dropped: { stdout: stdout.dropped, stderr: stderr.dropped },
  };
}

const CONDITIONS = { success: '[ "$last" -eq 0 ] && ', failure: '[ "$last" -ne 0 ] && ' } as const;

function makeListScript(commands: readonly ListedCommand[], mark: string): string {
  return [
    "last=0",
    `tell() { printf '\\n%s %s\\n' ${mark} "$*"; printf '\\n%s %s\\n' ${mark} "$*" >&2; }`,
    ...commands.map(({ after, ...command }, at) => {
      const condition = after === undefined ? "" : CONDITIONS[after];
      return `${condition}{ ${makeInvocation(command)} </dev/null; last=$?; tell ${at} "$last"; }`;
    }),
    "tell end",
    "unset last",
  ].join("\n");
}
