import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import type { Clock } from "../../ports/clock.ts";
import { makeRecord } from "./apply-entry.ts";
import type { EntryDraft, LedgerEntry, LedgerRecord } from "./ledger.ts";
import { LedgerReader } from "./ledger-reader.ts";
import type { World } from "./world.ts";
import { STRICT, type WorldRules, type WorldState } from "./world-state.ts";

/**
 * A world that several processes share: a file that is only ever appended to, one JSON object per line.
 *
 * There is no lock, so that a process that is stopped or killed at any moment holds nobody up. A call is one write at
 * the end of the file, which the operating system does in one piece (on a local file system; not over NFS): the order
 * of the lines is the same for everyone. What a line brings about is not written in it but follows from it and the
 * lines before it; the writer learns it by reading on to its own line. Of two processes that create with the same key
 * the one whose line comes first has created, and both find that out.
 *
 * Each write begins with a line end of its own: what a full disk left of a torn line is closed off, and skipped by
 * everyone alike.
 */
export class FileWorld implements World {
  readonly #path: string;
  readonly #file: number;
  readonly #clock: Clock;
  readonly #reader: LedgerReader;
  readonly #writer = `${process.pid}-${randomBytes(6).toString("hex")}`;
  #written = 0;

  constructor(path: string, clock: Clock, rules: WorldRules = STRICT) {
    this.#path = path;
    this.#clock = clock;
    this.#file = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
    this.#reader = new LedgerReader(this.#file, path, rules);
  }

  read(): WorldState {
    this.#reader.readOn();
    return this.#reader.state;
  }

  append(drafts: readonly EntryDraft[]): readonly LedgerRecord[] {
    if (drafts.length === 0) return [];
    const at = this.#clock.now();
    const entries = drafts.map((draft): LedgerEntry => {
      this.#written += 1;
      return { id: `${this.#writer}.${this.#written}`, at, pid: process.pid, ...draft };
    });
    this.#write(entries);
    const own = new Map<string, LedgerRecord>();
    this.#reader.readOn((entry, applied) => {
      if (entry.id.startsWith(this.#writer)) own.set(entry.id, makeRecord(entry, applied));
    });
    return entries.map(({ id }) => {
      const record = own.get(id);
      if (record === undefined) throw new Error(`The ledger ${this.#path} was changed other than by appending.`);
      return record;
    });
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(entries: readonly LedgerEntry[]): void {
    const bytes = Buffer.from(`\n${entries.map((entry) => JSON.stringify(entry)).join("\n")}\n`);
    if (writeSync(this.#file, bytes) < bytes.length) {
      throw new Error(`No room is left for the ledger ${this.#path}. Free some, then try again.`);
    }
  }
}

/** All lines of a ledger with what came of them. */
export function readLedger(path: string): readonly LedgerRecord[] {
  const file = openSync(path, "r");
  try {
    const records: LedgerRecord[] = [];
    new LedgerReader(file, path, STRICT).readOn((entry, applied) => void records.push(makeRecord(entry, applied)));
    return records;
  } finally {
    closeSync(file);
  }
}
