import { type ClusterSpec, validateCluster } from "@drover/contract";
import { expect, it, onTestFinished } from "vitest";
import { openTestApp } from "../../test/app.ts";
import { systemClock } from "../ports/clock.ts";
import type { Store } from "../ports/store/index.ts";
import { Breakers } from "./breakers.ts";
import { lookRound } from "./look-round.ts";
import { RestingMemory } from "./resting-memory.ts";

const actor = { type: "user", name: "ada" } as const;
const worker = { id: "w2", host: "h1", providers: ["simulated"], hostBound: [] };

function specOf(ttl: string): ClusterSpec {
  const simulated = { latency: { minimumMs: 0, maximumMs: 0 } };
  const spec = { provider: "simulated", simulated, maintenance: { ttl } };
  const metadata = { name: "dev" };
  const result = validateCluster({ apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata, spec });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.cluster.spec;
}

/** Looks once at a cluster whose time is over, while something happens after it was read and before it is acted on. */
async function lookWhile(happen: (store: Store) => Promise<unknown>) {
  const opened = await openTestApp();
  onTestFinished(() => opened.dispose());
  const { store } = opened;
  await store.desired.declareCluster({ name: "dev", spec: specOf("1s"), jobKind: "create", actor });
  const { createdAt } = await found(store);
  while ((await store.observations.readTime()) <= createdAt + 1_000) await new Promise((next) => setTimeout(next, 50));
  const saveStatus: Store["observations"]["saveStatus"] = async (...asked) => {
    const accepted = await store.observations.saveStatus(...asked);
    await happen(store);
    return accepted;
  };
  const deps = {
    store: { ...store, observations: { ...store.observations, saveStatus } },
    options: { resyncMs: 0, healthMs: 0, jitterMs: 0, leaseMs: 1_000, batch: 10, expiryWarningMs: 0 },
    kubeconfigs: { keep: async () => {}, keepMissing: async () => {} },
    ...{ worker, providers: opened.app.providers, memory: new RestingMemory(), breakers: new Breakers(systemClock) },
  };
  await store.desired.cancelJob({ jobId: (await jobs(store))[0]?.id ?? "", actor });
  const { started } = await lookRound(deps, new AbortController().signal);
  return { store, started };
}

async function found(store: Store) {
  const cluster = await store.read.findCluster("dev");
  if (cluster === null) throw new Error("It is gone.");
  return cluster;
}

const jobs = async (store: Store) => (await store.read.listJobs({ limit: 10 })).items;

it("deletes a cluster whose time is over", async () => {
  const { store, started } = await lookWhile(async () => {});
  expect(started).toMatchObject([{ kind: "delete" }]);
  expect(await found(store)).toMatchObject({ desiredState: "absent" });
});

it("does not delete a cluster whose life was extended since it was looked at", async () => {
  const extend = (store: Store) =>
    store.desired.declareCluster({ name: "dev", spec: specOf("1h"), jobKind: null, actor });
  const { store, started } = await lookWhile(extend);
  expect(started).toEqual([]);
  expect(await found(store)).toMatchObject({ desiredState: "present", spec: { maintenance: { ttl: "1h" } } });
});
