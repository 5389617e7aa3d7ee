import { DroverError, type JobKind } from "@drover/contract";
import type { StepContext } from "../../ports/step.ts";
import { sleep, type Timer } from "../../ports/timer.ts";
import { simulatedPart } from "./declared.ts";
import { faultsFor } from "./judge-fault.ts";
import type { Call, CallInput, EntryDraft, LedgerRecord, Operation } from "./ledger.ts";
import { roll } from "./roll.ts";
import type { World } from "./world.ts";
import type { ClusterState, WorldObject } from "./world-state.ts";

/** What of a step's context a call needs. */
export type Caller = Pick<StepContext, "cluster" | "job" | "signal" | "idempotencyKey" | "fencingToken">;

const OPERATIONS: Readonly<Partial<Record<JobKind, Operation>>> = {
  create: "create",
  upgrade: "upgrade",
  delete: "delete",
};

/** Answers that are no answer: the caller cannot know whether the work was done. */
const FAILING: ReadonlySet<string> = new Set(["fail", "done-yet-fails", "unreachable"]);

/** The simulated cloud as steps see it: slow, and only as reliable as the spec of the cluster says. */
export class SimulatedCloud {
  readonly #world: World;
  readonly #timer: Timer;

  constructor(world: World, timer: Timer) {
    this.#world = world;
    this.#timer = timer;
  }

  /** What is there now. Takes no time and never fails: faults of looking are the provider's `observe`. */
  objectsOf(clusterId: string): readonly WorldObject[] {
    return this.#stateOf(clusterId)?.objects ?? [];
  }

  newestToken(clusterId: string): number {
    return this.#stateOf(clusterId)?.newestToken ?? 0;
  }

  /** Half of its time goes by before the effect and half after it, so that an end in between meets both sides. */
  async call(caller: Caller, call: Call, input: CallInput = {}): Promise<LedgerRecord> {
    const { signal } = caller;
    const halfMs = this.#latencyMs(caller, call) / 2;
    await this.#wait(halfMs, signal);
    const [record] = this.#world.append([this.#draft(caller, call, input)]);
    if (record === undefined) throw new Error("The simulated cloud did not write the call down.");
    if (record.effect === "refused") throw new DroverError("lease-lost", `Simulated cloud: ${record.message}`);
    if (record.fault === "hang") await untilAborted(signal);
    await this.#wait(halfMs, signal);
    if (record.effect === "failed" || FAILING.has(record.fault ?? "")) {
      throw new DroverError("step-failed", `Simulated cloud: ${record.message}`, { details: { call, ...input } });
    }
    return record;
  }

  #stateOf(clusterId: string): ClusterState | undefined {
    return this.#world.read().clusters.get(clusterId);
  }

  #draft(caller: Caller, call: Call, input: CallInput): EntryDraft {
    const { cluster, job, idempotencyKey: key, fencingToken: token } = caller;
    const { seed, faults } = simulatedPart(cluster.spec);
    const operation = call === "shut-out" ? null : (OPERATIONS[job.kind] ?? "update");
    const due = operation === null ? [] : faultsFor(faults, operation, this.#stateOf(cluster.id));
    const draft = { call, operation, clusterId: cluster.id, clusterName: cluster.name, key, token, input };
    return due.length === 0 ? draft : { ...draft, script: { seed, faults: due } };
  }

  #latencyMs({ cluster }: Caller, call: Call): number {
    const { latency, seed } = simulatedPart(cluster.spec);
    const { minimumMs, maximumMs } = latency;
    const chance = roll(seed, cluster.name, call, this.#stateOf(cluster.id)?.revision ?? 0);
    return minimumMs + chance * (maximumMs - minimumMs);
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (ms > 0) await sleep(this.#timer, ms, signal);
    signal.throwIfAborted();
  }
}

/** Never resolves: it ends by rejecting with the reason of the signal. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
