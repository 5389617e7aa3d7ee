import type { EntryDraft, Fault, LedgerRecord } from "../../src/providers/simulated/ledger.ts";
import { MemoryWorld } from "../../src/providers/simulated/memory-world.ts";
import type { World } from "../../src/providers/simulated/world.ts";
import type { WorldState } from "../../src/providers/simulated/world-state.ts";
import type { Moment } from "./moment.ts";
import type { SimulationTime } from "./simulation-time.ts";
import type { Trace } from "./trace.ts";

/** The simulated cloud, whose scripted faults can be ended all at once. */
export class FickleWorld implements World {
  readonly #world: MemoryWorld;
  readonly #trace: Trace;
  readonly #now: () => number;
  #healed = false;
  #trouble: { readonly until: number; readonly fault: Fault } | null = null;
  /** Called before and after every call of a step. */
  onCall: (moment: Moment) => void = () => {};

  constructor(time: SimulationTime, trace: Trace) {
    this.#world = new MemoryWorld(time.elsewhere);
    this.#trace = trace;
    this.#now = () => time.monotonic();
  }

  get records(): readonly LedgerRecord[] {
    return this.#world.records;
  }

  heal(): void {
    this.#healed = true;
  }

  /** Until then every call may meet the fault, whatever is declared. */
  trouble(until: number, fault: Fault): void {
    this.#trouble = { until, fault };
  }

  read(): WorldState {
    return this.#world.read();
  }

  append(drafts: readonly EntryDraft[]): readonly LedgerRecord[] {
    const calls = drafts.filter(({ call }) => call !== "observe" && call !== "disturb");
    for (const draft of calls) this.onCall(momentOf(draft, "before"));
    const records = this.#world.append(drafts.map((draft) => this.#script(draft)));
    for (const { call, clusterName, effect, fault, token } of records) {
      this.#trace.write("cloud", `${call} ${clusterName} → ${effect}${fault === null ? "" : ` (${fault})`} [${token}]`);
    }
    for (const draft of calls) this.onCall(momentOf(draft, "after"));
    return records;
  }

  #script({ script, ...draft }: EntryDraft): EntryDraft {
    if (this.#healed) return draft;
    const trouble = this.#trouble !== null && this.#trouble.until > this.#now() ? this.#trouble : null;
    const isMet = trouble !== null && draft.operation !== null && draft.call !== "observe";
    const faults = [...(isMet ? [trouble.fault] : []), ...(script?.faults ?? [])];
    return faults.length === 0 ? draft : { ...draft, script: { seed: script?.seed ?? 0, faults } };
  }

  close(): void {}
}

const momentOf = ({ call, clusterName }: EntryDraft, when: Moment["when"]): Moment => ({
  ...{ point: `cloud.${call}`, when, worker: null, parameters: [], clusterName },
});
