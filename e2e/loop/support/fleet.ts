import { setTimeout as sleep } from "node:timers/promises";
import { validateCluster } from "@drover/contract";
import { pino } from "pino";
import { declareSpec } from "../../../drover/src/app/declare-cluster.ts";
import { readDocuments } from "../../../drover/src/app/read-documents.ts";
import { loadOptions } from "../../../drover/src/config/load-options.ts";
import { type FleetState, isAtRest, readFleet } from "../../../drover/src/main/demo-verdict.ts";
import { makeWorker } from "../../../drover/src/main/make-worker.ts";
import { systemClock } from "../../../drover/src/ports/clock.ts";
import type { Store } from "../../../drover/src/ports/store/index.ts";
import { systemTimer } from "../../../drover/src/ports/timer.ts";
import { makeProviders } from "../../../drover/src/providers/index.ts";
import { FileWorld } from "../../../drover/src/providers/simulated/file-world.ts";
import { MemoryWorld } from "../../../drover/src/providers/simulated/memory-world.ts";
import { actor, openSharedStore } from "../../store/support/store.ts";
import { leaveCancelledCreate } from "./cancelled-create.ts";
import type { Place } from "./place.ts";

/** The names that the verdict of a demo knows as those of one run. */
export const RUN = "loop";
export const nameOf = (word: string): string => `demo-${RUN}-${word}`;

type Simulated = Readonly<Record<string, unknown>>;

const QUICK = { minimumMs: 0, maximumMs: 20 };

export async function declare(store: Store, word: string, simulated: Simulated = {}, minor = 34): Promise<string> {
  const result = validateCluster({
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name: nameOf(word) },
    spec: {
      provider: "simulated",
      kubernetes: { version: `v1.${minor}.0` },
      simulated: { workers: 1, latency: QUICK, ...simulated },
    },
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const providers = makeProviders({
    ...{ clock: systemClock, timer: systemTimer },
    simulated: { world: new MemoryWorld(systemClock) },
  });
  const app = {
    ...{ store, providers },
    timer: systemTimer,
    readDocuments: async (text: string) => readDocuments(text),
    describeChanges: async <T>(plan: T) => plan,
  };
  const { name, labels = {}, annotations = {} } = result.cluster.metadata;
  const { cluster } = await declareSpec(app, { name, spec: result.cluster.spec, labels, annotations, actor });
  return cluster.id;
}

/** How many of the clusters that `declareWork` declares are to be gone in the end. */
export const DELETED = 2;

/**
 * Something of everything that a worker may have to do: make, change, upgrade, repair, delete, take back, try again
 * later.
 */
export async function declareWork(place: Place, drover: string): Promise<readonly string[]> {
  const store = await openSharedStore(place.url);
  try {
    const words = ["changed", "upgraded", "drifted", "removed"];
    const made = await Promise.all(words.map((word) => declare(store, word)));
    await workOnce(place, store);
    const cancelled = await leaveCancelledCreate(place, store, drover);
    await declare(store, "changed", { workers: 2 });
    await declare(store, "upgraded", {}, 35);
    await store.desired.deleteCluster({ name: nameOf("removed"), actor });
    disturb(place, nameOf("drifted"), made[2] ?? "");
    const created = await declare(store, "created");
    // A look may come before the job and use one of them up.
    const fault = { operation: "observe", effect: "unreachable", times: 3 };
    return [...made, cancelled, created, await declare(store, "unseen", { faults: [fault] })];
  } finally {
    await store.close();
  }
}

/** Works off what can be worked on now, in this process. */
async function workOnce({ dataDir, url }: Place, store: Store): Promise<void> {
  const options = loadOptions({ flags: { dataDir }, env: { DROVER_STORE: url, HOME: dataDir } });
  const { worker, close } = makeWorker({ ...options, resyncInterval: 1_000 }, store, pino({ level: "silent" }), "test");
  const { failed } = await worker.runOnce(new AbortController().signal).finally(close);
  if (failed.length > 0) throw new Error(`Not made: ${failed.join(", ")}.`);
}

function disturb({ ledgerFile }: Place, clusterName: string, clusterId: string): void {
  const world = new FileWorld(ledgerFile, systemClock);
  const who = { clusterId, clusterName, key: null, token: null, operation: null };
  world.append([{ call: "disturb", ...who, input: { disturbance: "node-lost" } }]);
  world.close();
}

/** Waits until nothing is left to be done, or it takes too long; answers how it is then. */
export async function waitForRest(
  place: Place,
  store: Store,
  ids: readonly string[],
  { patienceMs, signal }: { patienceMs: number; signal?: AbortSignal },
): Promise<FleetState> {
  const world = new FileWorld(place.ledgerFile, systemClock);
  try {
    const until = performance.now() + patienceMs;
    for (;;) {
      const fleet = await readFleet(store, world, ids);
      if (isAtRest(fleet) || performance.now() > until || signal?.aborted) return fleet;
      await sleep(100);
    }
  } finally {
    world.close();
  }
}
