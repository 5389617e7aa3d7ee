import { type ChildProcess, spawn } from "node:child_process";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program in a process of its own, which ends at the latest when the one that started it does. */
export interface Program {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  tell(message: string): void;
  /** The next message of a kind; fails when the program ends without sending it, or takes too long. */
  hear<T>(kind: string, patienceMs?: number): Promise<T>;
  signal(signal: NodeJS.Signals): void;
  /** Fails with what it wrote to its error output unless it ends well. */
  finish(patienceMs?: number): Promise<void>;
  kill(): Promise<Ended>;
  readonly complaint: () => string;
}

const COMPLAINT_LIMIT = 20_000;
const DEFAULT_PATIENCE_MS = 120_000;

interface Message {
  readonly kind: string;
  readonly body: unknown;
}

export function startProgram(file: string, input: object): Program {
  const child = spawn(process.execPath, [file, JSON.stringify(input)], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} could not be started.`);
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_LIMIT);
  });
  const ended = new Promise<Ended>((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
  const fail = (what: string) => new Error(`Process ${pid} (${file}) ${what}.\n${complaint}`);
  const inbox = receiveMessages(child);
  return {
    pid,
    ended,
    complaint: () => complaint,
    tell: (message) => void child.send(message, () => {}),
    signal: (signal) => void child.kill(signal),
    hear: (kind, patienceMs = DEFAULT_PATIENCE_MS) =>
      within(patienceMs, fail(`did not say "${kind}" within ${patienceMs} ms`), [
        inbox.next(kind),
        ended.then(({ code, signal }) => Promise.reject(fail(`ended (${code ?? signal}) before it said "${kind}"`))),
      ]),
    finish: async (patienceMs = DEFAULT_PATIENCE_MS) => {
      const { code, signal } = await within(patienceMs, fail(`did not end within ${patienceMs} ms`), [ended]);
      if (code !== 0) throw fail(`ended with ${code ?? signal}`);
    },
    kill: async () => {
      child.kill("SIGKILL");
      return await ended;
    },
  };
}

function receiveMessages(child: ChildProcess): { next<T>(kind: string): Promise<T> } {
  const kept: Message[] = [];
  const waiting: { kind: string; resolve: (body: unknown) => void }[] = [];
  child.on("message", (message: Message) => {
    const at = waiting.findIndex(({ kind }) => kind === message.kind);
    if (at === -1) kept.push(message);
    else waiting.splice(at, 1)[0]?.resolve(message.body);
  });
  return {
    next: <T>(kind: string) => {
      const at = kept.findIndex((message) => message.kind === kind);
      if (at !== -1) return Promise.resolve(kept.splice(at, 1)[0]?.body as T);
      return new Promise<T>((resolve) => void waiting.push({ kind, resolve: resolve as (body: unknown) => void }));
    },
  };
}

async function within<T>(patienceMs: number, failure: Error, attempts: readonly Promise<T>[]): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failure), patienceMs);
  });
  try {
    return await Promise.race([...attempts, late]);
  } finally {
    clearTimeout(timer);
  }
}
