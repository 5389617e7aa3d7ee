import { describe, expect } from "vitest";
import type { ClaimedJob, Store } from "./index.ts";
import {
  ada,
  claimAll,
  declare,
  declareAndCreate,
  LEASE_MS,
  type StoreSubject,
  type StoreWorld,
  specWith,
  storeTest,
  workerAt,
} from "./world.conformance.ts";

/** What a rival may be told; anything else that comes out of a race is a fault. */
const FAIR = new Set([
  ...["cluster-not-found", "cluster-deleting", "cluster-exists", "generation-conflict", "job-live", "job-finished"],
  ...["job-not-found", "lease-lost"],
]);

async function fair(attempt: Promise<unknown>): Promise<void> {
  try {
    await attempt;
  } catch (error) {
    if (!FAIR.has((error as { code?: string }).code ?? "")) throw error;
  }
}

/** Small, fast and seeded: a race is repeated with the same choices. */
function choices(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function actAtRandom(
  store: Store,
  choose: (below: number) => number,
  id: string,
  held: ClaimedJob[],
): Promise<void> {
  const name = `c${choose(4)}`;
  const worker = workerAt({ id });
  switch (choose(9)) {
    case 0:
    case 1:
      return await fair(declare(store, name, { spec: specWith(1 + choose(3)), jobKind: "update" }));
    case 2:
      return await fair(store.desired.deleteCluster({ name, actor: ada }));
    case 3:
      return await fair(store.desired.requestJob({ clusterName: name, kind: "repair", actor: ada }));
    case 4: {
      const { items } = await store.read.listJobs({ limit: 4, states: ["Pending", "Processing"] });
      const job = items[choose(4)];
      return job && (await fair(store.desired.cancelJob({ jobId: job.id, actor: ada })));
    }
    case 5:
      return void held.push(...(await store.jobs.claimJobs(worker, { limit: 1 + choose(3), leaseMs: LEASE_MS })));
    default:
      return await endAtRandom(store, choose, held);
  }
}

async function endAtRandom(store: Store, choose: (below: number) => number, held: ClaimedJob[]): Promise<void> {
  const [job] = held.splice(choose(Math.max(held.length, 1)), 1);
  if (job === undefined) return;
  const { ref } = job;
  if (job.job.kind === "delete") return await fair(store.jobs.finishDeletion(ref, {}));
  switch (choose(4)) {
    case 0:
      return await fair(store.jobs.postponeJob(ref, { delayMs: 0, error: { code: "x", message: "" } }));
    case 1:
      return await fair(store.jobs.releaseJobs([ref]));
    default:
      return await fair(store.jobs.finishJobs([{ ref, state: choose(2) === 0 ? "Succeeded" : "Failed" }]));
  }
}

async function expectInvariants(world: StoreWorld): Promise<void> {
  const broken = async (sql: string) => (await world.execute(sql)).length;
  expect(
    await broken(
      "select cluster_id from jobs where state in ('Pending', 'Processing') and superseded_by is null group by cluster_id having count(*) > 1",
    ),
  ).toBe(0);
  expect(
    await broken("select cluster_id from jobs where state = 'Processing' group by cluster_id having count(*) > 1"),
  ).toBe(0);
  expect(await broken("select name from clusters where deleted_at is null group by name having count(*) > 1")).toBe(0);
  expect(
    await broken(
      "select id from clusters c where generation <> (select max(generation) from revisions r where r.cluster_id = c.id)",
    ),
  ).toBe(0);
  expect(
    await broken(
      "select j.id from jobs j join clusters c on c.id = j.cluster_id where c.deleted_at is not null and j.state in ('Pending', 'Processing')",
    ),
  ).toBe(0);
  expect(await broken("select cluster_id from jobs group by cluster_id having max(number) <> count(*)")).toBe(0);
  expect(await world.store.audit.verifyAudit()).toMatchObject({ ok: true });
}

export function describeConcurrency(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("at the same moment", () => {
    it("many declarations of one name make one cluster", async ({ world }) => {
      const stores = [world.store, await world.open()];
      const declarations = Array.from({ length: 20 }, (_, index) =>
        declare(stores[index % 2] ?? world.store, "dev", { spec: specWith(1 + (index % 4)) }),
      );
      const outcomes = (await Promise.all(declarations)).map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(1);
      expect((await world.store.read.listClusters({ limit: 9 })).items).toHaveLength(1);
      await expectInvariants(world);
    });

    it("only one of many that must be new is", async ({ world: { store } }) => {
      const declarations = Array.from({ length: 20 }, () => declare(store, "dev", { expectedVersion: null }));
      const settled = await Promise.allSettled(declarations);
      const refused = settled.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
      expect(refused).toEqual(Array.from({ length: 19 }, () => "cluster-exists"));
    });

    it("no job goes to two workers, and none is lost", async ({ world }) => {
      const stores = [world.store, await world.open()];
      await Promise.all(Array.from({ length: 60 }, (_, index) => declare(world.store, `c${index}`)));
      const rounds = Array.from({ length: 24 }, async (_, index) => {
        const store = stores[index % 2] ?? world.store;
        return await store.jobs.claimJobs(workerAt({ id: `w${index}` }), { limit: 4, leaseMs: LEASE_MS });
      });
      const claimed = (await Promise.all(rounds)).flat();
      const rest = await claimAll(world.store);
      const ids = [...claimed, ...rest].map(({ job }) => job.id);
      expect(ids).toHaveLength(60);
      expect(new Set(ids).size).toBe(60);
    });

    it("a deletion that ends does not lose a declaration of the same name", async ({ world }) => {
      const other = await world.open();
      for (let round = 0; round < 12; round++) {
        await declareAndCreate(world.store, "dev");
        await world.store.desired.deleteCluster({ name: "dev", actor: ada });
        const [claimed] = await claimAll(world.store);
        if (claimed === undefined) throw new Error("no deletion to claim");
        const [answer] = await Promise.allSettled([
          declare(other, "dev"),
          world.store.jobs.finishDeletion(claimed.ref, {}),
        ]);
        const told = answer.status === "fulfilled" ? answer.value.outcome : String(answer.reason.code);
        expect(["created", "cluster-deleting"], `round ${round}`).toContain(told);
        if (told === "created") await world.store.desired.deleteCluster({ name: "dev", actor: ada });
        for (const { ref } of await claimAll(world.store)) await world.store.jobs.finishDeletion(ref, {});
      }
    });

    it("edits, deletions, claims, cancels and ends leave every invariant intact", async ({ world }) => {
      const stores = [world.store, await world.open()];
      const actors = Array.from({ length: 6 }, async (_, index) => {
        const choose = choices(index + 1);
        const held: ClaimedJob[] = [];
        for (let round = 0; round < 60; round++)
          await actAtRandom(stores[index % 2] ?? world.store, choose, `w${index}`, held);
        await world.store.jobs.releaseJobs(held.map(({ ref }) => ref));
      });
      await Promise.all(actors);
      await expectInvariants(world);
      for (let round = 0; round < 20; round++) {
        const claimed = await claimAll(world.store);
        if (claimed.length === 0) break;
        for (const { ref, job } of claimed) {
          if (job.kind === "delete") await world.store.jobs.finishDeletion(ref, {});
          else await world.store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
        }
      }
      const { items } = await world.store.read.listJobs({ limit: 1, states: ["Pending", "Processing"] });
      expect(items).toEqual([]);
      await expectInvariants(world);
    });
  });
}
