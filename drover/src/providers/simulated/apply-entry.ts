import { disturb } from "./disturb.ts";
import { judgeFault } from "./judge-fault.ts";
import type { Effect, Fault, FaultEffect, LedgerEntry, LedgerRecord, TouchedObject } from "./ledger.ts";
import { type Outcome, workOn } from "./work-on.ts";
import { clusterState, type WorldObject, type WorldRules, type WorldState } from "./world-state.ts";

/** Faults that keep a call from doing anything, with what is written down then. */
const IDLE: Readonly<Partial<Record<FaultEffect, Effect>>> = {
  fail: "failed",
  hang: "failed",
  unreachable: "failed",
  "nothing-yet-succeeds": "nothing",
};

/**
 * What one line does to the world, given all lines before it. Nothing else decides: no clock, no chance, no file. That
 * is what lets several processes write at once without a lock: the order of the lines is the order of events, and
 * whoever reads them finds the same winner.
 */
export function applyEntry(state: WorldState, entry: LedgerEntry, rules: WorldRules): Applied {
  state.lines += 1;
  const number = state.lines;
  if (entry.clusterId === null) return { number, ...plantForeign(state, entry, number), lost: [], fault: null };
  const cluster = clusterState(state, entry.clusterId, entry.clusterName);
  cluster.revision += 1;
  if (entry.token !== null) {
    if (rules.refusesStaleTokens && entry.token < cluster.newestToken) {
      const message = `The token ${entry.token} is older than ${cluster.newestToken}, which has been here.`;
      return { number, effect: "refused", objects: [], message, lost: [], fault: null };
    }
    cluster.newestToken = Math.max(cluster.newestToken, entry.token);
  }
  const fault = judgeFault(cluster, entry);
  const idle = fault === null ? undefined : IDLE[fault.effect];
  const outcome: Outcome =
    idle === undefined ? workOn({ state, cluster, entry, number, rules }) : { effect: idle, objects: [], message: "" };
  const lost = [...(outcome.lost ?? []), ...(fault === null ? [] : disturb(cluster, entry, fault.effect))];
  return { number, ...outcome, lost, fault };
}

/** What a line did, in terms of the living world: it is true only until the next line. */
export interface Applied extends Outcome {
  readonly number: number;
  readonly lost: readonly TouchedObject[];
  readonly fault: Fault | null;
}

/** The line with what it did, to keep. */
export function makeRecord(
  entry: LedgerEntry,
  { number, effect, objects, lost, fault, message }: Applied,
): LedgerRecord {
  const told = message === "" && fault !== null ? (fault.message ?? DEFAULT_MESSAGES[fault.effect]) : message;
  return {
    ...entry,
    number,
    effect,
    objects: objects.map(touched),
    lost: lost.map(touched),
    fault: fault?.effect ?? null,
    message: told,
  };
}

const DEFAULT_MESSAGES: Readonly<Record<Fault["effect"], string>> = {
  fail: "It failed and has done nothing.",
  hang: "It does not answer.",
  "done-yet-fails": "It failed.",
  "nothing-yet-succeeds": "",
  unreachable: "The simulated cloud cannot be reached.",
  "node-lost": "",
  drift: "",
  reboot: "",
};

/** Copied: what the object becomes later must not change what the record says. */
function touched({ id, kind, clusterId, name }: TouchedObject): TouchedObject {
  return { id, kind, clusterId, name };
}

function plantForeign(state: WorldState, entry: LedgerEntry, number: number): Outcome {
  const object: WorldObject = {
    id: `foreign-${number}`,
    kind: "cluster",
    clusterId: null,
    clusterName: entry.clusterName,
    name: entry.clusterName,
    key: null,
    role: null,
    version: entry.input.version ?? "",
    settings: "",
    complete: true,
    stopped: false,
    cordoned: false,
  };
  state.foreign.push(object);
  return { effect: "made", objects: [object], message: "" };
}
