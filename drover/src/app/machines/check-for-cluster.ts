import type { ClusterSpec, MachineProblem, MachineState } from "@drover/contract";
import { type CheckedMachine, checkMachines, type PlannedCluster } from "../../machines/check-machines.ts";
import type { MachineRecord } from "../../ports/store/index.ts";
import type { App } from "../app.ts";
import { assertVisible, type Caller, isInScope } from "../caller.ts";
import { getCluster } from "../change-cluster.ts";
import { readCluster } from "../declare-cluster.ts";
import { machinePages } from "./machine-pages.ts";
import { getMachine } from "./read-machines.ts";

/** What to check: a document, a declared cluster, machines by name, or all that one may see. */
export interface CheckRequest {
  readonly document?: string | undefined;
  readonly cluster?: string | undefined;
  readonly machines?: readonly string[] | undefined;
}

export interface CheckResult {
  readonly machine: string;
  readonly state: MachineState | null;
  readonly problems: readonly MachineProblem[];
}

/** Goes by what was last seen, and asks no machine. */
export async function checkForCluster(
  app: App,
  caller: Caller,
  request: CheckRequest,
): Promise<readonly CheckResult[]> {
  const planned = await findPlanned(app, caller, request);
  const machines =
    planned === null ? await listAsked(app, caller, request.machines) : await listNodes(app, caller, planned.spec);
  const problems = checkMachines(machines, planned);
  return machines.map(({ name, path, state }) => ({
    ...{ machine: name, state },
    problems: problems.filter((problem) => problem.machine === name && problem.path === path),
  }));
}

async function findPlanned(app: App, caller: Caller, request: CheckRequest): Promise<PlannedCluster | null> {
  if (request.document !== undefined) {
    const { metadata, spec } = await readCluster(app, request.document);
    const existing = await app.store.read.findCluster(metadata.name);
    return { id: existing === null || !isInScope(caller.scopes, existing.labels) ? null : existing.id, spec };
  }
  if (request.cluster === undefined) return null;
  const cluster = await getCluster(app, request.cluster);
  assertVisible(caller, cluster);
  return { id: cluster.id, spec: cluster.spec };
}

async function listAsked(
  app: App,
  caller: Caller,
  names: readonly string[] | undefined,
): Promise<readonly CheckedMachine[]> {
  const machines: MachineRecord[] = [];
  if (names === undefined) {
    for await (const page of machinePages(app, { scopes: caller.scopes })) machines.push(...page);
  } else {
    for (const name of new Set(names)) machines.push(await getMachine(app, caller, name));
  }
  return machines.map((machine) => asChecked(machine, { path: "", roles: [] }));
}

/** The nodes of the document, in its order, with the machines that they name. */
async function listNodes(app: App, caller: Caller, spec: ClusterSpec): Promise<readonly CheckedMachine[]> {
  const { nodes = [], access } = spec.ssh ?? {};
  const placed = nodes.map((node, at) => ({ node, at, address: node.address, port: node.port ?? access?.port ?? 22 }));
  const found = await app.store.machines.findByPlace(placed);
  const visible = found.filter(({ labels }) => isInScope(caller.scopes, labels));
  return placed.map(({ node, at, address, port }) => {
    const machine = visible.find((one) => one.address === address && one.port === port);
    const asNode = { path: `spec.ssh.nodes[${at}]`, roles: node.roles };
    if (machine !== undefined) return asChecked(machine, asNode);
    return { ...asNode, ...{ name: node.name, address, port, state: null, message: "", facts: null } };
  });
}

const asChecked = (
  { name, address, port, state, message, facts }: MachineRecord,
  asNode: Pick<CheckedMachine, "path" | "roles">,
): CheckedMachine => ({ ...asNode, ...{ name, address, port, state, message, facts } });
