import type { EntryDraft, LedgerRecord } from "../../src/providers/simulated/ledger.ts";
import { MemoryWorld } from "../../src/providers/simulated/memory-world.ts";
import type { World } from "../../src/providers/simulated/world.ts";
import type { WorldState } from "../../src/providers/simulated/world-state.ts";
import type { SimulationTime } from "./simulation-time.ts";
import type { Trace } from "./trace.ts";

/** The simulated cloud, whose scripted faults can be ended all at once. */
export class FickleWorld implements World {
  readonly #world: MemoryWorld;
  readonly #trace: Trace;
  #healed = false;

  constructor(time: SimulationTime, trace: Trace) {
    this.#world = new MemoryWorld(time.elsewhere);
    this.#trace = trace;
  }

  get records(): readonly LedgerRecord[] {
    return this.#world.records;
  }

  heal(): void {
    this.#healed = true;
  }

  read(): WorldState {
    return this.#world.read();
  }

  append(drafts: readonly EntryDraft[]): readonly LedgerRecord[] {
    const records = this.#world.append(this.#healed ? drafts.map(({ script: _, ...draft }) => draft) : drafts);
    for (const { call, clusterName, effect, fault, token } of records) {
      this.#trace.write("cloud", `${call} ${clusterName} → ${effect}${fault === null ? "" : ` (${fault})`} [${token}]`);
    }
    return records;
  }

  close(): void {}
}
