import { type ClusterSpec, validateCluster } from "@drover/contract";
import { expect, it, onTestFinished } from "vitest";
import { openTestApp } from "../../test/app.ts";
import { unseen } from "../domain/sighting.ts";
import { systemClock } from "../ports/clock.ts";
import type { Provider } from "../ports/provider.ts";
import type { Store } from "../ports/store/index.ts";
import { Breakers } from "./breakers.ts";
import { lookRound } from "./look-round.ts";
import { RestingMemory } from "./resting-memory.ts";
import { runJob } from "./run-job.ts";

const actor = { type: "user", name: "ada" } as const;
const worker = { id: "w2", host: "h1", providers: ["simulated"], hostBound: [] };

/** Stops whoever looks in the middle of the look, as the end of a worker does. */
function interrupted(provider: Provider): { providers: ReadonlyMap<string, Provider>; stop: AbortController } {
  const stop = new AbortController();
  const observe: Provider["observe"] = async (clusters) => {
    stop.abort(new Error("The worker is stopping."));
    return clusters.map(() => unseen("The look was called off."));
  };
  return { providers: new Map([["simulated", { ...provider, observe }]]), stop };
}

async function openWith(name: string) {
  const opened = await openTestApp();
  onTestFinished(() => opened.dispose());
  await opened.store.desired.declareCluster({ name, spec: specOf(name), jobKind: "create", actor });
  const provider = opened.app.providers.get("simulated") as Provider;
  return { ...opened, ...interrupted(provider) };
}

function specOf(name: string): ClusterSpec {
  const simulated = { latency: { minimumMs: 0, maximumMs: 0 } };
  const spec = { provider: "simulated", simulated };
  const result = validateCluster({ apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name }, spec });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.cluster.spec;
}

const noKubeconfigs = { keep: async () => {}, keepMissing: async () => {} };

const phaseOf = async (store: Store, name: string) => (await store.read.findCluster(name))?.phase;

it("does not take a cluster for unknown because a look at it was called off", async () => {
  const { store, settle, providers, stop } = await openWith("dev");
  await settle();
  expect(await phaseOf(store, "dev")).toBe("Running");
  const options = { resyncMs: 0, healthMs: 0, jitterMs: 0, leaseMs: 1_000, batch: 10, expiryWarningMs: 0 };
  const parts = { memory: new RestingMemory(), breakers: new Breakers(systemClock), kubeconfigs: noKubeconfigs };
  const deps = { store, providers, worker, options, ...parts };
  const result = await lookRound(deps, stop.signal);
  expect(result).toEqual({ looked: 1, changed: 0, started: [] });
  expect(await phaseOf(store, "dev")).toBe("Running");
  expect((await store.looks.claimLooks(worker, { limit: 10, leaseMs: 1 })).looks).toHaveLength(1);
});

it("does not take a cluster for unknown because the look at the end of its job was called off", async () => {
  const { store, app, settle, providers, stop } = await openWith("dev");
  await settle();
  const [job] = await claimRepair(store);
  const done = { outcome: { kind: "done" }, report: null, results: {} } as const;
  let looks = 0;
  const observed = new Map(providers);
  const [sound, broken] = [app.providers.get("simulated") as Provider, providers.get("simulated") as Provider];
  observed.set("simulated", {
    ...sound,
    observe: (...args) => (looks++ === 0 ? sound.observe(...args) : broken.observe(...args)),
  });
  await runJob(
    {
      ...{ store, providers: observed, worker, random: () => 0.5, expiryWarningMs: 0 },
      retry: { attempts: 1, baseMs: 1, capMs: 1 },
      makePlan: () => ({ plan: { pipeline: "repair", steps: [] } as never, hash: "0".repeat(64) }),
      executePlan: async () => done,
      kubeconfigs: noKubeconfigs,
      onEnded: () => {},
    },
    job,
    [stop.signal],
    () => {},
  );
  expect(looks).toBe(2);
  expect((await store.read.getJob(job.job.id))?.state).toBe("Succeeded");
  expect(await phaseOf(store, "dev")).toBe("Running");
});

async function claimRepair(store: Store) {
  await store.desired.requestJob({ clusterName: "dev", kind: "repair", actor });
  return (await store.jobs.claimJobs(worker, { limit: 1, leaseMs: 10_000 })) as readonly [
    Awaited<ReturnType<Store["jobs"]["claimJobs"]>>[number],
  ];
}
