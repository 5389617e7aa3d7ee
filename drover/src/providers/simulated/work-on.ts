import { disturb } from "./disturb.ts";
import type { Effect, LedgerEntry, TouchedObject } from "./ledger.ts";
import type { ClusterState, WorldObject, WorldRules, WorldState } from "./world-state.ts";

export interface Outcome {
  readonly effect: Effect;
  readonly objects: readonly WorldObject[];
  readonly lost?: readonly TouchedObject[];
  readonly message: string;
}

interface Work {
  readonly state: WorldState;
  readonly cluster: ClusterState;
  readonly entry: LedgerEntry;
  readonly number: number;
  readonly rules: WorldRules;
}

/** Does what a call asks for, when nothing stands in its way. */
export function workOn(work: Work): Outcome {
  const { cluster, entry } = work;
  switch (entry.call) {
    case "shut-out":
    case "observe":
      return outcome("nothing");
    case "create-cluster":
    case "create-node":
      return make(work);
    case "upgrade-node":
      return change(work, "node", (object) => assign(object, { version: entry.input.version ?? object.version }));
    case "cordon-node":
      return change(work, "node", (object) => assign(object, { cordoned: entry.input.cordoned === true }));
    case "apply-settings":
      return change(work, "cluster", (object) => assign(object, { settings: entry.input.settings ?? "" }));
    case "complete-cluster":
      return change(work, "cluster", (object) => assign(object, { complete: true }));
    case "stop-cluster":
    case "start-cluster":
      return change(work, "cluster", (object) => assign(object, { stopped: entry.call === "stop-cluster" }));
    case "remove-node":
    case "remove-cluster":
      return remove(work);
    case "adopt-cluster":
      return adopt(work);
    case "disturb": {
      const lost = disturb(cluster, entry, entry.input.disturbance ?? "drift");
      return { ...outcome("changed"), lost };
    }
    case "plant-foreign":
      return failed("What others make has no cluster id of ours.");
  }
}

const outcome = (effect: Effect, objects: readonly WorldObject[] = []): Outcome => ({ effect, objects, message: "" });
const failed = (message: string): Outcome => ({ effect: "failed", objects: [], message });

function make({ cluster, entry, number, rules }: Work): Outcome {
  const { input, call, key } = entry;
  const known = cluster.objects.find((object) => object.key === key);
  if (rules.remembersKeys && key !== null && known !== undefined) return outcome("repeated", [known]);
  const kind = call === "create-cluster" ? "cluster" : "node";
  if (kind === "node" && input.node === undefined) return failed("A node needs a name.");
  const object: WorldObject = {
    id: `${kind}-${number}`,
    kind,
    clusterId: cluster.id,
    clusterName: entry.clusterName,
    name: input.node ?? entry.clusterName,
    key,
    role: kind === "node" ? (input.role ?? "worker") : null,
    version: input.version ?? "",
    settings: "",
    complete: false,
    stopped: false,
    cordoned: false,
  };
  cluster.objects.push(object);
  return outcome("made", [object]);
}

function change({ cluster, entry }: Work, kind: WorldObject["kind"], work: (object: WorldObject) => boolean): Outcome {
  const found = cluster.objects.find((object) => object.kind === kind && object.id === entry.input.object);
  if (found === undefined) return failed(`There is no ${kind} ${entry.input.object ?? ""} in ${cluster.name}.`);
  return work(found) ? outcome("changed", [found]) : outcome("nothing");
}

/** Answers whether anything was different before. */
function assign(object: WorldObject, values: Partial<WorldObject>): boolean {
  const differs = Object.entries(values).some(([name, value]) => object[name as keyof WorldObject] !== value);
  Object.assign(object, values);
  return differs;
}

/** Removing what is not there is no failure: whoever asked gets what they wanted. */
function remove({ cluster, entry }: Work): Outcome {
  const found = cluster.objects.find(({ id }) => id === entry.input.object);
  if (found === undefined) return outcome("nothing");
  cluster.objects = cluster.objects.filter((object) => object !== found);
  return outcome("removed", [found]);
}

function adopt({ state, cluster, entry }: Work): Outcome {
  const found: WorldObject[] = [];
  for (const other of state.clusters.values()) {
    if (other === cluster || other.name !== entry.clusterName) continue;
    found.push(...other.objects);
    other.objects = [];
    other.revision += 1;
  }
  if (found.length === 0) return outcome("nothing");
  for (const object of found) object.clusterId = cluster.id;
  cluster.objects.push(...found);
  return outcome("changed", found);
}
