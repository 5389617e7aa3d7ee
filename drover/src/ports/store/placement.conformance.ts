import { describe, expect } from "vitest";
import {
  ada,
  claimAll,
  claimOne,
  declare,
  expireLease,
  type StoreSubject,
  specWith,
  storeTest,
  workerAt,
} from "./world.conformance.ts";

const namesOf = (claimed: readonly { cluster: { name: string } }[]) =>
  claimed.map(({ cluster }) => cluster.name).sort();
const onHost = (host: string, workers = 1) => specWith(workers, { placement: { host } });

export function describePlacement(subject: StoreSubject): void {
  const it = storeTest(subject);
  const here = workerAt({ hostBound: ["simulated"] });
  const elsewhere = workerAt({ id: "w2", host: "h2", hostBound: ["simulated"] });

  it("gives a job only to workers that know its provider", async ({ world: { store } }) => {
    await declare(store, "dev");
    expect(await claimAll(store, workerAt({ providers: ["kind", "ssh"] }))).toEqual([]);
    expect(await claimAll(store, workerAt({ providers: [] }))).toEqual([]);
    expect(namesOf(await claimAll(store, workerAt({ providers: ["kind", "simulated"] })))).toEqual(["dev"]);
  });

  it("gives a job only to workers on the host that it was placed on", async ({ world: { store } }) => {
    const { cluster, job } = await declare(store, "there", { spec: onHost("h2") });
    await declare(store, "anywhere");
    expect([cluster.host, job?.host]).toEqual(["h2", "h2"]);
    expect(namesOf(await claimAll(store, here))).toEqual(["anywhere"]);
    expect(namesOf(await claimAll(store, elsewhere))).toEqual(["there"]);
  });

  describe("a cluster that lives on one host", () => {
    it("is bound to the host of whoever begins it, for all jobs to come", async ({ world: { store } }) => {
      await declare(store, "dev");
      const { ref, job, cluster } = await claimOne(store, here);
      expect([job.host, cluster.host]).toEqual(["h1", "h1"]);
      expect(await store.read.getJob(job.id)).toMatchObject({ host: "h1" });
      await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
      const next = await store.desired.requestJob({ clusterName: "dev", kind: "repair", actor: ada });
      expect(next.host).toBe("h1");
      expect(await claimAll(store, elsewhere)).toEqual([]);
      expect(namesOf(await claimAll(store, here))).toEqual(["dev"]);
    });

    it("is taken over only on its host", async ({ world }) => {
      await declare(world.store, "dev");
      const { ref } = await claimOne(world.store, here);
      await expireLease(world, ref);
      expect(await claimAll(world.store, elsewhere)).toEqual([]);
      expect(await claimOne(world.store, workerAt({ id: "w3" }))).toMatchObject({ takenOver: true });
    });

    it("binds what was put in line behind the first job, too", async ({ world: { store } }) => {
      await declare(store, "dev");
      const { ref } = await claimOne(store, here);
      await store.desired.deleteCluster({ name: "dev", actor: ada });
      await store.jobs.finishJobs([{ ref, state: "Canceled" }]);
      expect(await claimAll(store, elsewhere)).toEqual([]);
      expect((await claimOne(store, here)).job).toMatchObject({ kind: "delete", host: "h1" });
    });

    it("stays bound when it is given back", async ({ world: { store } }) => {
      await declare(store, "dev");
      const { ref } = await claimOne(store, here);
      await store.jobs.releaseJobs([ref]);
      expect(await claimAll(store, elsewhere)).toEqual([]);
    });
  });

  it("does not bind a cluster whose provider reaches it from anywhere", async ({ world: { store } }) => {
    await declare(store, "dev");
    const { ref, cluster } = await claimOne(store, workerAt());
    expect(cluster.host).toBeNull();
    await store.jobs.releaseJobs([ref]);
    expect(namesOf(await claimAll(store, elsewhere))).toEqual(["dev"]);
  });

  it("moves a waiting job with an edit of the placement", async ({ world: { store } }) => {
    await declare(store, "dev", { spec: onHost("h2") });
    await declare(store, "dev", { spec: onHost("h1") });
    expect(await claimAll(store, elsewhere)).toEqual([]);
    expect(namesOf(await claimAll(store, here))).toEqual(["dev"]);
  });
}
