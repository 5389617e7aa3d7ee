import { describe, expect } from "vitest";
import { API_SERVER } from "../../domain/allocation.ts";
import type { JobRef, Store } from "./index.ts";
import {
  ada,
  claimOne,
  declareAndClaim,
  declareAndCreate,
  dump,
  LEASE_MS,
  POOLS,
  refusalOf,
  type StoreSubject,
  type StoreWorld,
  storeTest,
  takeOver,
  workerAt,
} from "./world.conformance.ts";

const error = { code: "x", message: "stale" };
const steps = [{ stepId: "a", name: "a", title: "A", host: "local" }];
const line = { stepId: "a", host: "local", stream: "stdout", text: "stale" } as const;

/** Every write that takes the proof of a claim and answers `lease-lost` when it no longer opens anything. */
const REFUSED: Readonly<Record<string, (store: Store, ref: JobRef, objectId: string) => Promise<unknown>>> = {
  postponeJob: (store, ref) => store.jobs.postponeJob(ref, { delayMs: 0, error }),
  beginPlan: (store, ref) => store.jobs.beginPlan(ref, { hash: "h1", body: { a: 1 }, steps }),
  saveSteps: (store, ref) => store.jobs.saveSteps(ref, [{ stepId: "b", state: "Failed", attempt: 9, error }]),
  appendLog: (store, ref) => store.jobs.appendLog(ref, [line]),
  keepSecret: (store, ref) => store.jobs.keepSecret(ref, { name: "keys", value: Buffer.from("stale") }),
  recordIntended: (store, ref) => store.jobs.recordIntended(ref, { system: "docker", kind: "net", ref: "stale" }),
  recordPresent: (store, ref, objectId) => store.jobs.recordPresent(ref, objectId),
  recordGone: (store, ref, objectId) => store.jobs.recordGone(ref, objectId),
  reserveAllocation: (store, ref) => store.jobs.reserveAllocation(ref, API_SERVER, { pools: POOLS, except: [] }),
  keepAllocations: (store, ref) => store.jobs.keepAllocations(ref, []),
};

/** Every write that leaves out what is no longer the caller's. */
const LEFT_OUT: Readonly<Record<string, (store: Store, ref: JobRef, clusterId: string) => Promise<unknown>>> = {
  renewLeases: (store, ref) => store.jobs.renewLeases([ref], LEASE_MS * 10),
  releaseJobs: async (store, ref) => (await store.jobs.releaseJobs([ref])) ?? [],
  finishJobs: (store, ref) => store.jobs.finishJobs([{ ref, state: "Failed", error }]),
  saveObservations: async (store, ref, clusterId) => {
    const seenAt = await store.observations.readTime();
    const look = { clusterId, source: "provider", presence: "absent", seenAt, body: {} } as const;
    return await store.observations.saveObservations(workerAt(), [look], [ref]);
  },
  saveStatus: async (store, ref, clusterId) => {
    const seenAt = await store.observations.readTime();
    const status = { clusterId, seenAt, presence: "absent", conditions: [], error: "stale" } as const;
    return await store.observations.saveStatus(workerAt(), [status], [ref]);
  },
};

/** A job with a plan and an object, held by the first worker. */
async function begin(store: Store) {
  const claimed = await declareAndClaim(store);
  const { ref } = claimed;
  const planned = [...steps, { stepId: "b", name: "b", title: "B", host: "local" }];
  await store.jobs.beginPlan(ref, { hash: "h1", body: { a: 1 }, steps: planned });
  const object = await store.jobs.recordIntended(ref, { system: "docker", kind: "net", ref: "dev" });
  return { ...claimed, objectId: object.id };
}

export function describeFencing(subject: StoreSubject): void {
  const it = storeTest(subject);

  /** The ways in which a proof gets stale, and what may hold the job afterwards. */
  const WAYS: Readonly<Record<string, (world: StoreWorld, ref: JobRef) => Promise<unknown>>> = {
    "after another worker took over": (world, ref) => takeOver(world, ref),
    "after the job was given back and claimed again by the same worker": async ({ store }, ref) => {
      await store.jobs.releaseJobs([ref]);
      await claimOne(store);
    },
  };

  for (const [when, spoil] of Object.entries(WAYS)) {
    describe(`a stale proof ${when}`, () => {
      for (const [method, write] of Object.entries(REFUSED)) {
        it(`writes nothing with ${method} and is told lease-lost`, async ({ world }) => {
          const { ref, objectId } = await begin(world.store);
          await spoil(world, ref);
          const before = await dump(world);
          expect(await refusalOf(write(world.store, ref, objectId))).toBe("lease-lost");
          expect(await dump(world)).toEqual(before);
        });
      }
      for (const [method, write] of Object.entries(LEFT_OUT)) {
        it(`writes nothing with ${method} and is left out`, async ({ world }) => {
          const { ref, cluster } = await begin(world.store);
          await spoil(world, ref);
          const before = await dump(world);
          expect(await write(world.store, ref, cluster.id)).toEqual([]);
          expect(await dump(world)).toEqual(before);
        });
      }
    });
  }

  it("leaves out the stale ones of a batch and takes the others", async ({ world }) => {
    const { store } = world;
    const a = await declareAndClaim(store, "a");
    const b = await declareAndClaim(store, "b");
    const taken = await takeOver(world, a.ref);
    expect(await store.jobs.renewLeases([a.ref, b.ref], LEASE_MS)).toMatchObject([
      { ref: b.ref, cancelRequested: false },
    ]);
    const finishes = [a.ref, b.ref].map((ref) => ({ ref, state: "Succeeded" }) as const);
    expect((await store.jobs.finishJobs(finishes)).map((job) => job.id)).toEqual([b.job.id]);
    expect(await store.read.getJob(taken.job.id)).toMatchObject({ state: "Processing", workerId: "w2" });
  });

  it("does not end a cluster with a stale proof, whatever the ledger says", async ({ world }) => {
    const { store } = world;
    const cluster = await declareAndCreate(store);
    await store.desired.deleteCluster({ name: "dev", actor: ada });
    const { ref } = await claimOne(store);
    await takeOver(world, ref);
    const before = await dump(world);
    expect(await refusalOf(store.jobs.finishDeletion(ref, {}))).toBe("lease-lost");
    expect(await dump(world)).toEqual(before);
    await world.execute(`insert into external_objects (id, cluster_id, system, kind, ref, state, job_id, created_at)
      values ('o', '${cluster.id}', 's', 'k', 'r', 'present', '${ref.jobId}', 0)`);
    expect(await refusalOf(store.jobs.finishDeletion(ref, {}))).toBe("lease-lost");
  });

  it("opens nothing with a token that was never given, or a job that never was", async ({ world }) => {
    const { store } = world;
    const { ref, objectId, cluster } = await begin(store);
    const before = await dump(world);
    for (const forged of [
      { ...ref, token: ref.token + 1 },
      { ...ref, token: 0 },
      { jobId: "none", token: 1 },
    ]) {
      for (const write of Object.values(REFUSED)) {
        expect(await refusalOf(write(store, forged, objectId))).toBe("lease-lost");
      }
      for (const write of Object.values(LEFT_OUT)) expect(await write(store, forged, cluster.id)).toEqual([]);
      expect(await refusalOf(store.jobs.finishDeletion(forged, {}))).toBe("lease-lost");
    }
    expect(await dump(world)).toEqual(before);
  });

  it("opens nothing once the job has ended", async ({ world }) => {
    const { store } = world;
    const { ref, objectId } = await begin(store);
    await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
    const before = await dump(world);
    for (const write of Object.values(REFUSED)) {
      expect(await refusalOf(write(store, ref, objectId))).toBe("lease-lost");
    }
    expect(await store.jobs.renewLeases([ref], LEASE_MS)).toEqual([]);
    await store.jobs.releaseJobs([ref]);
    expect(await dump(world)).toEqual(before);
  });
}
