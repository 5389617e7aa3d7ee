import { DroverError, validateCluster } from "@drover/contract";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { openTestApp } from "../../test/app.ts";
import { absentSighting, type Sighting, unseen } from "../domain/sighting.ts";
import { systemClock } from "../ports/clock.ts";
import type { Provider } from "../ports/provider.ts";
import type { Store } from "../ports/store/index.ts";
import { Breakers } from "./breakers.ts";
import { lookRound } from "./look-round.ts";
import { RestingMemory } from "./resting-memory.ts";
import { runJob } from "./run-job.ts";

const worker = { id: "w2", host: "h1", providers: ["simulated"], hostBound: [] };
const { signal } = new AbortController();
const noKubeconfigs = { keep: async () => {}, keepMissing: async () => {} };
/** As it looks while somebody is deleting it: some of its nodes are there, and some are not. */
const halfGone: Sighting = {
  ...unseen("Two of three containers run."),
  presence: "present",
  complete: true,
  reachable: true,
  drift: [{ path: "spec.kind.workers", desired: "2", actual: "1: dev-worker2 is missing" }],
};
const gone = absentSighting("Nothing of it is there.");

let store: Store;
let seen: Sighting;
let provider: Provider;

beforeEach(async () => {
  const opened = await openTestApp();
  onTestFinished(() => opened.dispose());
  store = opened.store;
  const spec = { provider: "simulated", simulated: { latency: { minimumMs: 0, maximumMs: 0 } } };
  const document = { apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name: "dev" }, spec };
  const result = validateCluster(document);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const actor = { type: "user", name: "ada" } as const;
  await store.desired.declareCluster({ name: "dev", spec: result.cluster.spec, jobKind: "create", actor });
  await opened.settle();
  const simulated = opened.app.providers.get("simulated") as Provider;
  provider = { ...simulated, observe: async (clusters) => clusters.map(() => seen) };
});

/** What a look starts, of a worker that has just begun. */
async function look(through: Store = store): Promise<readonly string[]> {
  const options = { resyncMs: 0, healthMs: 0, jitterMs: 0, leaseMs: 0, batch: 10, expiryWarningMs: 0 };
  const parts = { memory: new RestingMemory(), breakers: new Breakers(systemClock), kubeconfigs: noKubeconfigs };
  const deps = { store: through, providers: new Map([["simulated", provider]]), worker, options, ...parts };
  return (await lookRound(deps, signal)).started.map(({ kind }) => kind);
}

/** Runs the job in line, which finds no way from what it sees. */
async function failJob(): Promise<void> {
  const [job] = await store.jobs.claimJobs(worker, { limit: 1, leaseMs: 10_000 });
  if (job === undefined) throw new Error("No job is in line.");
  const deps = {
    ...{ store, providers: new Map([["simulated", provider]]), worker, random: () => 0.5, expiryWarningMs: 0 },
    retry: { attempts: 1, baseMs: 1, capMs: 1 },
    makePlan: () => {
      throw new DroverError("change-forbidden", "Nodes were removed, and none can be added.");
    },
    executePlan: async () => ({ outcome: { kind: "done" }, report: null, results: {} }) as const,
    kubeconfigs: noKubeconfigs,
    onEnded: () => {},
  };
  await runJob(deps, job, [signal], () => {});
  expect((await store.read.getJob(job.job.id))?.state).toBe("Failed");
}

it("makes a cluster anew that was seen half deleted first, and gives up once when that fails too", async () => {
  seen = halfGone;
  expect(await look()).toEqual(["repair"]);
  await failJob();
  expect(await look()).toEqual([]);
  seen = gone;
  expect(await look()).toEqual(["repair"]);
  await failJob();
  expect(await look()).toEqual([]);
});

it("still does so when the process ends after it has written down that all is gone", async () => {
  seen = halfGone;
  await look();
  await failJob();
  seen = gone;
  const desired = Object.assign(Object.create(store.desired) as Store["desired"], {
    requestJob: () => Promise.reject(new Error("The process ends here.")),
  });
  await expect(look(Object.assign(Object.create(store) as Store, { desired }))).rejects.toThrow("ends here");
  expect((await store.read.findCluster("dev"))?.presence).toBe("absent");
  expect(await look()).toEqual(["repair"]);
});
