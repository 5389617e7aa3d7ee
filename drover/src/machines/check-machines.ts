import { type MachineFacts, type MachineProblem, type MachineState, type NodeRole, PROBLEMS } from "@drover/contract";
import { findBelonging } from "./checks/belonging.ts";
import type { CheckedNode, PlannedCluster } from "./checks/checked-node.ts";
import type { Finding } from "./checks/finding.ts";
import { findKernelProblems } from "./checks/kernel.ts";
import { findPortProblems } from "./checks/ports.ts";
import { findResourceProblems } from "./checks/resources.ts";
import { findSharedIdentities } from "./checks/shared-identities.ts";
import { findSystemProblems } from "./checks/system.ts";

/** A machine as one node of a cluster sees it. */
export interface CheckedMachine {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** Where the document names it: `spec.ssh.nodes[1]`; empty when there is none. */
  readonly path: string;
  /** Empty when it is not known what it is for. */
  readonly roles: readonly NodeRole[];
  /** Null when it is not enrolled, so that nobody has looked. */
  readonly state: MachineState | null;
  /** Why it is in that state, with the next move. */
  readonly message: string;
  /** Also of a machine that cannot be reached now, as it was seen last. */
  readonly facts: MachineFacts | null;
}

export type { PlannedCluster } from "./checks/checked-node.ts";

type Check = (node: CheckedNode, planned: PlannedCluster | null) => Iterable<Finding>;

const CHECKS: readonly Check[] = [
  findSystemProblems,
  findResourceProblems,
  findKernelProblems,
  findBelonging,
  findPortProblems,
];

/**
 * Everything that is in the way of a cluster on these machines, of all of them at once, by what was last seen. Asks
 * nobody. Errors must be mended before anything begins; warnings are worth a look.
 */
export function checkMachines(
  machines: readonly CheckedMachine[],
  planned: PlannedCluster | null,
): readonly MachineProblem[] {
  const problems = machines.flatMap((machine) =>
    [...findAboutReaching(machine), ...checkFacts(machine, planned)].map((finding) => toProblem(machine, finding)),
  );
  const shared = findSharedIdentities(machines).map(({ machine, finding }) => toProblem(machine, finding));
  return [...problems, ...shared];
}

function* checkFacts(machine: CheckedMachine, planned: PlannedCluster | null): Generator<Finding> {
  const { facts } = machine;
  if (facts === null) return;
  for (const check of CHECKS) yield* check({ ...machine, facts }, planned);
}

function* findAboutReaching({ name, state, message, facts, address, port }: CheckedMachine): Generator<Finding> {
  if (state === null) {
    const place = port === 22 ? address : `${address} --port ${port}`;
    const next = `Enrol it: \`drover machine enroll ${name} --address ${place} --credential <secret>\`.`;
    yield { code: "machine-not-enrolled", message: `${address} is not an enrolled machine.`, next };
  } else if (state === "Denied") {
    yield { code: "machine-not-root", message };
  } else if (facts === null || state !== "Reachable") {
    const what = state === "Pending" ? "Nobody has looked at it yet." : message;
    // What was seen before may still be right; that it cannot be reached now is wrong for sure.
    yield { code: "machine-unknown", message: what };
  }
}

function toProblem({ name, path }: CheckedMachine, finding: Finding): MachineProblem {
  const { code, message, severity = "error", command = null } = finding;
  return { machine: name, path, code, severity, message, next: finding.next ?? PROBLEMS[code].next, command };
}
