import { MACHINE_STATE_NAMES, type MachineState } from "../../api/words.ts";
import { readText, readWords } from "../../lib/search-params.ts";

export interface MachineSearch {
  readonly q?: string | undefined;
  readonly state?: readonly MachineState[] | undefined;
  /** The machine that is shown beside the list. */
  readonly machine?: string | undefined;
}

export function readMachineSearch(search: Readonly<Record<string, unknown>>): MachineSearch {
  return {
    q: readText(search.q),
    state: readWords(search.state, MACHINE_STATE_NAMES),
    machine: readText(search.machine),
  };
}
