import type { Condition, Presence } from "@drover/contract";
import { describe, expect } from "vitest";
import type { JobRef, Store, WorkerIdentity } from "./index.ts";
import {
  ada,
  claimOne,
  declare,
  declareAndClaim,
  declareAndCreate,
  dump,
  type StoreSubject,
  storeTest,
  workerAt,
} from "./world.conformance.ts";

const reachable = (status: "True" | "False"): Condition => ({
  type: "Reachable",
  status,
  reason: "Probed",
  message: "",
  observedGeneration: 1,
  lastTransitionTime: "2026-01-01T00:00:00Z",
});

interface Look {
  readonly presence?: Presence;
  readonly seenAt?: number;
  readonly worker?: WorkerIdentity;
  readonly held?: readonly JobRef[];
  readonly conditions?: readonly Condition[];
  readonly error?: string | null;
}

/** Saves one look by both doors and answers whether each took it. */
async function look(store: Store, clusterId: string, options: Look = {}): Promise<readonly [boolean, boolean]> {
  const { presence = "present", worker = workerAt(), held, conditions = [], error = null } = options;
  const seenAt = options.seenAt ?? (await store.observations.readTime());
  const observation = { clusterId, source: "provider", presence, seenAt, body: { by: worker.id } };
  const saved = await store.observations.saveObservations(worker, [observation], held);
  const update = { clusterId, seenAt, presence, conditions, error };
  const taken = await store.observations.saveStatus(worker, [update], held);
  return [saved.includes(clusterId), taken.includes(clusterId)];
}

const TAKEN = [true, true];
const REFUSED = [false, false];

export function describeObservations(subject: StoreSubject): void {
  const it = storeTest(subject);

  it("keeps the newest look of each source, and derives the phase", async ({ world: { store } }) => {
    const { id } = await declareAndCreate(store);
    const seenAt = await store.observations.readTime();
    expect(await look(store, id, { conditions: [reachable("False")], seenAt, error: "no \u0000 answer" })).toEqual(
      TAKEN,
    );
    const seen = await store.read.getCluster(id);
    expect(seen).toMatchObject({ presence: "present", phase: "Unreachable", conditions: [{ type: "Reachable" }] });
    expect(seen?.lastError).toMatch(/^no . answer$/u);
    expect(seen?.lastReconciledAt).toEqual(expect.any(Number));
    const other = { clusterId: id, source: "argocd", presence: "unknown", seenAt, body: [1] } as const;
    await store.observations.saveObservations(workerAt(), [other]);
    expect(await store.observations.listObservations(id)).toEqual([
      { clusterId: id, source: "argocd", presence: "unknown", seenAt, workerId: "w1", body: [1] },
      { clusterId: id, source: "provider", presence: "present", seenAt, workerId: "w1", body: { by: "w1" } },
    ]);
    expect(await look(store, id, { conditions: [reachable("True")], seenAt: seenAt + 1 })).toEqual(TAKEN);
    expect(await store.read.getCluster(id)).toMatchObject({ phase: "Running", lastError: null });
    const { events } = await store.read.readEvents({ after: 0, limit: 50 });
    expect(events.filter(({ kind }) => kind === "cluster.observed")).toHaveLength(2);
  });

  it("takes many looks in one call and answers those it took", async ({ world: { store } }) => {
    const a = await declareAndCreate(store, "a");
    const b = await declareAndCreate(store, "b");
    const seenAt = await store.observations.readTime();
    const update = (clusterId: string) =>
      ({ clusterId, seenAt, presence: "present", conditions: [], error: null }) as const;
    const taken = await store.observations.saveStatus(workerAt(), [update(a.id), update("none"), update(b.id)]);
    expect([...taken].sort()).toEqual([a.id, b.id].sort());
    expect(await store.observations.saveStatus(workerAt(), [])).toEqual([]);
    expect(await store.observations.saveObservations(workerAt(), [])).toEqual([]);
  });

  describe("a look from elsewhere", () => {
    const here = workerAt({ hostBound: ["simulated"] });
    const elsewhere = workerAt({ id: "w2", host: "h2", hostBound: ["simulated"] });

    it("is never believed of a cluster that lives on one host", async ({ world }) => {
      const { store } = world;
      const { cluster } = await declare(store, "dev");
      const { ref } = await claimOne(store, here);
      await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
      const before = await dump(world);
      for (const presence of ["absent", "unknown", "present"] as const) {
        expect(await look(store, cluster.id, { presence, worker: elsewhere })).toEqual(REFUSED);
      }
      expect(await dump(world)).toEqual(before);
      expect(await look(store, cluster.id, { worker: here })).toEqual(TAKEN);
      expect(await store.read.getCluster(cluster.id)).toMatchObject({ presence: "present", phase: "Running" });
    });

    it("is never believed of a provider that the worker does not know", async ({ world: { store } }) => {
      const { id } = await declareAndCreate(store);
      expect(await look(store, id, { presence: "absent", worker: workerAt({ providers: ["kind"] }) })).toEqual(REFUSED);
      expect(await look(store, id, { presence: "absent", worker: workerAt({ providers: [] }) })).toEqual(REFUSED);
    });
  });

  describe("a stale look", () => {
    it("is refused when a newer one is stored", async ({ world }) => {
      const { store } = world;
      const { id } = await declareAndCreate(store);
      // Long after the job has ended, so that this is not why the older look is refused.
      await world.execute("update clusters set last_change_at = last_change_at - 60000");
      const seenAt = await store.observations.readTime();
      expect(await look(store, id, { seenAt })).toEqual(TAKEN);
      expect(await look(store, id, { presence: "absent", seenAt: seenAt - 1 })).toEqual(REFUSED);
      expect(await store.read.getCluster(id)).toMatchObject({ presence: "present" });
    });

    it("is refused when a job has ended since it began", async ({ world }) => {
      const { store } = world;
      const { ref, cluster } = await declareAndClaim(store);
      const seenAt = (await store.observations.readTime()) - 1;
      await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
      const before = await dump(world);
      expect(await look(store, cluster.id, { presence: "absent", seenAt })).toEqual(REFUSED);
      expect(await dump(world)).toEqual(before);
      expect(await look(store, cluster.id)).toEqual(TAKEN);
    });

    for (const [how, give] of [
      [
        "postponed",
        (store: Store, ref: JobRef) =>
          store.jobs.postponeJob(ref, { delayMs: 3_600_000, error: { code: "x", message: "" } }),
      ],
      ["given back", (store: Store, ref: JobRef) => store.jobs.releaseJobs([ref])],
    ] as const) {
      it(`is refused when a job that has touched the cluster was ${how} since it began`, async ({
        world: { store },
      }) => {
        const { ref, cluster } = await declareAndClaim(store);
        const seenAt = (await store.observations.readTime()) - 1;
        await give(store, ref);
        expect(await look(store, cluster.id, { presence: "absent", seenAt })).toEqual(REFUSED);
        expect(await look(store, cluster.id)).toEqual(TAKEN);
      });
    }

    it("is refused of a cluster that is gone", async ({ world: { store } }) => {
      const { id } = await declareAndCreate(store);
      await store.desired.deleteCluster({ name: "dev", actor: ada });
      const { ref } = await claimOne(store);
      await store.jobs.finishDeletion(ref, {});
      expect(await look(store, id)).toEqual(REFUSED);
    });
  });

  it("is refused while a job runs that the caller does not hold, and taken from who does", async ({ world }) => {
    const { store } = world;
    const { ref, cluster } = await declareAndClaim(store);
    const before = await dump(world);
    expect(await look(store, cluster.id, { presence: "absent" })).toEqual(REFUSED);
    expect(await look(store, cluster.id, { held: [{ ...ref, token: ref.token + 1 }] })).toEqual(REFUSED);
    expect(await look(store, cluster.id, { held: [{ jobId: "other", token: ref.token }] })).toEqual(REFUSED);
    expect(await dump(world)).toEqual(before);
    expect(await look(store, cluster.id, { held: [{ jobId: "other", token: 9 }, ref] })).toEqual(TAKEN);
  });

  it("tells the time by the clock of the database", async ({ world }) => {
    const before = Date.now();
    const time = await world.store.observations.readTime();
    const { cluster } = await declare(world.store, "dev");
    const after = Date.now();
    // The database rounds; the host cuts off.
    expect(time).toBeGreaterThanOrEqual(before - 1);
    expect(cluster.createdAt).toBeGreaterThanOrEqual(time);
    expect(cluster.createdAt).toBeLessThanOrEqual(after + 1);
  });
}
