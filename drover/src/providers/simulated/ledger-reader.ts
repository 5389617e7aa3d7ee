import { fstatSync, readSync } from "node:fs";
import { applyEntry } from "./apply-entry.ts";
import { CALLS, type LedgerEntry, type LedgerRecord } from "./ledger.ts";
import { emptyWorld, type WorldRules, type WorldState } from "./world-state.ts";

const CHUNK_BYTES = 1024 * 1024;
const LINE_END = 0x0a;

/** Reads a growing ledger file, each time on from where it was. */
export class LedgerReader {
  readonly state: WorldState = emptyWorld();
  readonly #file: number;
  readonly #path: string;
  readonly #rules: WorldRules;
  #offset = 0;
  /** The beginning of a line whose end was not there yet. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: number, path: string, rules: WorldRules) {
    this.#file = file;
    this.#path = path;
    this.#rules = rules;
  }

  /** Costs one question for the file's size when nothing was added. */
  readOn(take: (record: LedgerRecord) => void): void {
    const { size } = fstatSync(this.#file);
    if (size < this.#offset) {
      throw new Error(`The ledger ${this.#path} became shorter. What is simulated cannot be known any more.`);
    }
    while (this.#offset < size) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - this.#offset));
      const count = readSync(this.#file, chunk, 0, chunk.length, this.#offset);
      if (count === 0) return;
      this.#offset += count;
      this.#takeLines(Buffer.concat([this.#rest, chunk.subarray(0, count)]), take);
    }
  }

  #takeLines(bytes: Buffer, take: (record: LedgerRecord) => void): void {
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      const entry = end === start ? null : parseEntry(bytes.toString("utf8", start, end));
      start = end + 1;
      if (entry !== null) take(applyEntry(this.state, entry, this.#rules));
    }
    this.#rest = Buffer.from(bytes.subarray(start));
  }
}

/** Null for a line that is no entry: torn, or written by something else. */
function parseEntry(line: string): LedgerEntry | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  return isEntry(value) ? value : null;
}

function isEntry(value: unknown): value is LedgerEntry {
  if (typeof value !== "object" || value === null) return false;
  const { id, at, call, clusterId, clusterName, key, token, input } = value as Partial<
    Record<keyof LedgerEntry, unknown>
  >;
  return (
    typeof id === "string" &&
    typeof at === "number" &&
    CALLS.some((known) => known === call) &&
    (typeof clusterId === "string" || clusterId === null) &&
    typeof clusterName === "string" &&
    (typeof key === "string" || key === null) &&
    (typeof token === "number" || token === null) &&
    typeof input === "object" &&
    input !== null
  );
}
