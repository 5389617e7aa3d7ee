import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type ReadResult, readDocuments } from "./read-documents.ts";

const THREAD = new URL(`./document-reader-thread${extname(import.meta.url)}`, import.meta.url);

/** Below this length, reading takes less than it takes to hand a text over. */
const SHORT = 2_000;

export const LIMITS = { env: {}, resourceLimits: { maxOldGenerationSizeMb: 128 } } as const;

type StartThread = (file: URL) => Worker;

/**
 * Reads documents in a thread of its own: the parser takes a tenth of a second for the largest text that is read at
 * all, and whoever else is being served must not feel that. The thread keeps no process alive, and is started anew
 * should it ever end.
 */
export class DocumentReader {
  readonly #startThread: StartThread;
  readonly #waiting = new Map<number, (result: ReadResult | Error) => void>();
  #thread: Worker | null = null;
  #lastId = 0;

  constructor(startThread: StartThread = (file) => new Worker(file, LIMITS)) {
    this.#startThread = startThread;
  }

  /** Has the thread ready before it is needed. */
  async warmUp(): Promise<void> {
    await this.read(`a: ${"x".repeat(SHORT)}`);
  }

  async read(text: string): Promise<ReadResult> {
    if (text.length < SHORT) return readDocuments(text);
    this.#thread ??= this.#start();
    const id = ++this.#lastId;
    this.#thread.postMessage({ id, text });
    const result = await new Promise<ReadResult | Error>((resolve) => this.#waiting.set(id, resolve));
    if (result instanceof Error) throw result;
    return result;
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = this.#startThread(THREAD);
    thread.on("message", ({ id, result }: { id: number; result: ReadResult }) => {
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
    let why = new Error("The thread that reads documents has ended.");
    thread.on("error", (error: Error) => {
      why = error;
    });
    thread.once("exit", () => {
      if (this.#thread === thread) this.#thread = null;
      for (const fail of this.#waiting.values()) fail(why);
      this.#waiting.clear();
    });
    // Last of all: each listener for messages would have it keep the process alive again.
    thread.unref();
    return thread;
  }
}
