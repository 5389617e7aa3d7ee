import type { Fault, LedgerEntry } from "./ledger.ts";
import { roll } from "./roll.ts";
import type { ClusterState, FaultCount } from "./world-state.ts";

/**
 * Which fault strikes, if any: the first of the script that is due. Decided by the seed, the cluster's name and how
 * many operations the fault has seen, all of which the ledger tells, so that a story plays the same every time.
 */
export function judgeFault(cluster: ClusterState, entry: LedgerEntry): Fault | null {
  let struck: Fault | null = null;
  for (const fault of entry.script?.faults ?? []) {
    const text = JSON.stringify(fault);
    const count = countOf(cluster, text);
    count.seen += 1;
    if (struck !== null || !isDue(fault, count)) continue;
    if (roll(entry.script?.seed ?? 0, cluster.name, text, count.seen) * 100 >= (fault.percent ?? 100)) continue;
    count.fired += 1;
    struck = fault;
  }
  return struck;
}

/** The faults of a script that may still strike an operation. */
export function faultsFor(
  faults: readonly Fault[] | undefined,
  operation: Fault["operation"],
  cluster: ClusterState | undefined,
): readonly Fault[] {
  if (faults === undefined || faults.length === 0) return [];
  return faults.filter((fault) => {
    if (fault.operation !== operation && fault.operation !== "any") return false;
    const count = cluster?.faults.get(JSON.stringify(fault));
    return count === undefined || fault.times === undefined || count.fired < fault.times;
  });
}

function isDue({ after = 0, times }: Fault, { seen, fired }: FaultCount): boolean {
  return seen > after && (times === undefined || fired < times);
}

function countOf(cluster: ClusterState, text: string): FaultCount {
  const known = cluster.faults.get(text);
  if (known !== undefined) return known;
  const made = { seen: 0, fired: 0 };
  cluster.faults.set(text, made);
  return made;
}
