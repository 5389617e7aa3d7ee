import { fstatSync, readSync } from "node:fs";
import { type Applied, applyEntry } from "./apply-entry.ts";
import { CALLS, type LedgerEntry } from "./ledger.ts";
import { emptyWorld, type WorldRules, type WorldState } from "./world-state.ts";

/** Small, so that reading a long ledger does not make the process large. */
const CHUNK_BYTES = 64 * 1024;
const LINE_END = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Told of each line when it has taken effect, and before the next one does. */
export type TakeLine = (entry: LedgerEntry, applied: Applied) => void;

/** Reads a growing ledger file, each time on from where it was. */
export class LedgerReader {
  readonly state: WorldState = emptyWorld();
  readonly #file: number;
  readonly #path: string;
  readonly #rules: WorldRules;
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #offset = 0;
  /** The beginning of a line whose end was not there yet. */
  #rest: Buffer = NOTHING;

  constructor(file: number, path: string, rules: WorldRules) {
    this.#file = file;
    this.#path = path;
    this.#rules = rules;
  }

  /** Costs one question for the file's size when nothing was added. */
  readOn(take?: TakeLine): void {
    const { size } = fstatSync(this.#file);
    if (size < this.#offset) {
      throw new Error(`The ledger ${this.#path} became shorter. What is simulated cannot be known any more.`);
    }
    while (this.#offset < size) {
      const count = readSync(this.#file, this.#chunk, 0, Math.min(CHUNK_BYTES, size - this.#offset), this.#offset);
      if (count === 0) return;
      this.#offset += count;
      const bytes = this.#chunk.subarray(0, count);
      this.#takeLines(this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]), take);
    }
  }

  #takeLines(bytes: Buffer, take: TakeLine | undefined): void {
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      const entry = end === start ? null : parseEntry(bytes.toString("utf8", start, end));
      start = end + 1;
      if (entry === null) continue;
      const applied = applyEntry(this.state, entry, this.#rules);
      take?.(entry, applied);
    }
    this.#rest = start === bytes.length ? NOTHING : Buffer.from(bytes.subarray(start));
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
