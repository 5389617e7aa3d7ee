import { callApi } from "../client.ts";
import type { LogLine } from "../objects.ts";
import { type FollowState, type LogFilter, LogSocket } from "./log-socket.ts";

/** Lines that are read at once: some windows full, so that a jump into a long log is soon there. */
const CHUNK = 250;
/** How many chunks are kept in memory; those farthest from what is looked at go first. */
const KEPT_CHUNKS = 240;

export interface LogSnapshot {
  /** How many rows there are to show. */
  readonly count: number;
  readonly follow: FollowState;
  readonly error: Error | null;
  readonly isLoading: boolean;
  /** Changes with every change of the rows. */
  readonly version: number;
}

type ReadLog = (request: {
  readonly params: { readonly id: string };
  readonly query: { readonly from: number; readonly limit: number } & LogFilter;
}) => Promise<{ readonly lines: readonly LogLine[]; readonly last: number; readonly total: number }>;

const readFromApi: ReadLog = (request) => callApi("logs", "readLog", request);

/**
 * The rows of a log, as many as a million, of which only those near the eye are in memory. Without a filter row n is
 * line n + 1 and any row can be had at once; with one, rows are found from the beginning on, as far as somebody reads.
 * Lines that were shown are never taken away by an error or a break.
 */
export class LogRows {
  readonly #jobId: string;
  readonly #filter: LogFilter;
  readonly #read: ReadLog;
  readonly #chunks = new Map<number, readonly (LogLine | undefined)[]>();
  readonly #found: LogLine[] = [];
  readonly #wanted = new Set<number>();
  readonly #listeners = new Set<() => void>();
  #total = 0;
  #lookedAt = 0;
  #socket: LogSocket | undefined;
  #snapshot: LogSnapshot = {
    count: 0,
    follow: { state: "connecting", resumes: 0, resumedAt: null },
    error: null,
    isLoading: true,
    version: 0,
  };

  constructor(jobId: string, filter: LogFilter, read: ReadLog = readFromApi) {
    this.#jobId = jobId;
    this.#filter = filter;
    this.#read = read;
  }

  get isFiltered(): boolean {
    return this.#filter.step !== undefined || this.#filter.host !== undefined;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): LogSnapshot => this.#snapshot;

  /**
   * The stored log comes first, then what follows. A reader who begins at the end, or at a line, gets that part and not
   * the first one: how long the log is, is asked for with the first line only.
   */
  async start(line: number | "first" | "last" = "first"): Promise<void> {
    if (this.isFiltered) return await this.#readFound();
    if (line === "last") await this.#learnTotal();
    const wanted = line === "first" ? 1 : line === "last" ? Math.max(1, this.#total) : line;
    await this.#readChunk(Math.floor((wanted - 1) / CHUNK));
  }

  /** When it cannot be learned, the reading that follows says why. */
  async #learnTotal(): Promise<void> {
    const query = { from: 1, limit: 1 };
    const answer = await this.#read({ params: { id: this.#jobId }, query }).catch(() => undefined);
    this.#total = answer?.total ?? 0;
  }

  stop(): void {
    this.#socket?.close();
  }

  row(index: number): LogLine | undefined {
    if (this.isFiltered) return this.#found[index];
    return this.#chunks.get(Math.floor(index / CHUNK))?.[index % CHUNK];
  }

  /** These rows are looked at: what is missing of them is read. */
  want(first: number, last: number): void {
    if (this.isFiltered) {
      if (last >= this.#found.length - 50) void this.#readFound();
      return;
    }
    for (let chunk = Math.floor(first / CHUNK); chunk <= Math.floor(last / CHUNK); chunk += 1) {
      if (chunk * CHUNK < this.#total && !this.#isWhole(chunk)) void this.#readChunk(chunk);
    }
    this.#forgetFar(Math.floor(first / CHUNK));
  }

  #isWhole(chunk: number): boolean {
    const lines = this.#chunks.get(chunk);
    const size = Math.min(CHUNK, this.#total - chunk * CHUNK);
    return (
      lines !== undefined && Array.from({ length: size }, (_, at) => lines[at]).every((line) => line !== undefined)
    );
  }

  async #readChunk(chunk: number): Promise<void> {
    if (this.#wanted.has(chunk)) return;
    this.#wanted.add(chunk);
    try {
      const query = { from: chunk * CHUNK + 1, limit: CHUNK };
      const { lines, total } = await this.#read({ params: { id: this.#jobId }, query });
      this.#total = Math.max(this.#total, total);
      this.#put(lines);
      this.#change({ error: null, isLoading: false });
      this.#follow(total + 1);
    } catch (error) {
      this.#change({ error: error as Error, isLoading: false });
    } finally {
      this.#wanted.delete(chunk);
    }
  }

  async #readFound(): Promise<void> {
    if (this.#wanted.size > 0 || this.#socket !== undefined) return;
    this.#wanted.add(0);
    try {
      const query = { from: this.#lookedAt + 1, limit: CHUNK, ...this.#filter };
      const { lines, last, total } = await this.#read({ params: { id: this.#jobId }, query });
      this.#found.push(...lines);
      this.#lookedAt = Math.max(last, this.#lookedAt);
      this.#change({ error: null, isLoading: false });
      if (this.#lookedAt >= total) this.#follow(this.#lookedAt + 1);
    } catch (error) {
      this.#change({ error: error as Error, isLoading: false });
    } finally {
      this.#wanted.delete(0);
    }
  }

  #follow(from: number): void {
    this.#socket ??= new LogSocket({
      jobId: this.#jobId,
      filter: this.#filter,
      from,
      onLines: (lines) => {
        if (this.isFiltered) this.#found.push(...lines);
        else this.#put(lines);
        this.#change({});
      },
      onState: (follow) => this.#change({ follow }),
    });
  }

  #put(lines: readonly LogLine[]): void {
    const changed = new Map<number, (LogLine | undefined)[]>();
    for (const line of lines) {
      const chunk = Math.floor((line.line - 1) / CHUNK);
      let rows = changed.get(chunk);
      if (rows === undefined) {
        rows = [...(this.#chunks.get(chunk) ?? [])];
        changed.set(chunk, rows);
      }
      rows[(line.line - 1) % CHUNK] = line;
      this.#total = Math.max(this.#total, line.line);
    }
    for (const [chunk, rows] of changed) this.#chunks.set(chunk, rows);
  }

  #forgetFar(chunk: number): void {
    if (this.#chunks.size <= KEPT_CHUNKS) return;
    const far = [...this.#chunks.keys()].sort((a, b) => Math.abs(b - chunk) - Math.abs(a - chunk));
    for (const one of far.slice(0, this.#chunks.size - KEPT_CHUNKS)) this.#chunks.delete(one);
  }

  #change(change: Partial<LogSnapshot>): void {
    const count = this.isFiltered ? this.#found.length : this.#total;
    this.#snapshot = { ...this.#snapshot, ...change, count, version: this.#snapshot.version + 1 };
    for (const tell of this.#listeners) tell();
  }
}
