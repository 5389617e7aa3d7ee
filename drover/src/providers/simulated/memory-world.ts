import type { Clock } from "../../ports/clock.ts";
import { applyEntry, makeRecord } from "./apply-entry.ts";
import type { EntryDraft, LedgerRecord } from "./ledger.ts";
import type { World } from "./world.ts";
import { emptyWorld, STRICT, type WorldRules, type WorldState } from "./world-state.ts";

/** A world of one process: its time is whatever clock it is given, and nothing in it is left to chance. */
export class MemoryWorld implements World {
  readonly #clock: Clock;
  readonly #rules: WorldRules;
  readonly #state = emptyWorld();
  readonly #records: LedgerRecord[] = [];

  constructor(clock: Clock, rules: WorldRules = STRICT) {
    this.#clock = clock;
    this.#rules = rules;
  }

  /** The ledger, for auditing. */
  get records(): readonly LedgerRecord[] {
    return this.#records;
  }

  read(): WorldState {
    return this.#state;
  }

  append(drafts: readonly EntryDraft[]): readonly LedgerRecord[] {
    return drafts.map((draft) => {
      const entry = { id: `memory.${this.#records.length + 1}`, at: this.#clock.now(), pid: 0, ...draft };
      const record = makeRecord(entry, applyEntry(this.#state, entry, this.#rules));
      this.#records.push(record);
      return record;
    });
  }

  close(): void {}
}
