import { describe, expect } from "vitest";
import type { JobRef, Store } from "./index.ts";
import { ada, claimOne, declareAndClaim, dump, type StoreSubject, storeTest, takeOver } from "./world.conformance.ts";

const network = { system: "docker", kind: "network", ref: "dev" };

async function deleteAndClaim(store: Store, name: string, held: JobRef): Promise<JobRef> {
  await store.jobs.finishJobs([{ ref: held, state: "Succeeded" }]);
  await store.desired.deleteCluster({ name, actor: ada });
  return (await claimOne(store)).ref;
}

export function describeLedger(subject: StoreSubject): void {
  const it = storeTest(subject);

  it("follows a thing from intended to gone", async ({ world: { store } }) => {
    const { ref, cluster } = await declareAndClaim(store);
    const object = await store.jobs.recordIntended(ref, network);
    expect(object).toMatchObject({ ...network, clusterId: cluster.id, state: "intended", seenAt: null, goneAt: null });
    await store.jobs.recordPresent(ref, object.id);
    const [present] = await store.read.listExternalObjects({ clusterId: cluster.id });
    expect(present).toMatchObject({ id: object.id, state: "present", seenAt: expect.any(Number) });
    await store.jobs.recordGone(ref, object.id);
    expect(await store.read.listExternalObjects({ clusterId: cluster.id })).toEqual([]);
    const [gone] = await store.read.listExternalObjects({ clusterId: cluster.id, includeGone: true });
    expect(gone).toMatchObject({ id: object.id, state: "gone", goneAt: expect.any(Number) });
  });

  it("has one entry for a thing that is written down twice", async ({ world }) => {
    const { store } = world;
    const { ref } = await declareAndClaim(store);
    const object = await store.jobs.recordIntended(ref, network);
    await store.jobs.recordPresent(ref, object.id);
    const taken = await takeOver(world, ref);
    const before = await dump(world);
    expect(await store.jobs.recordIntended(taken.ref, network)).toMatchObject({ id: object.id, state: "present" });
    expect(await dump(world)).toEqual(before);
  });

  it("begins a new entry for a thing that was gone, and never brings the old one back", async ({
    world: { store },
  }) => {
    const { ref } = await declareAndClaim(store);
    const first = await store.jobs.recordIntended(ref, network);
    await store.jobs.recordGone(ref, first.id);
    await store.jobs.recordPresent(ref, first.id);
    const second = await store.jobs.recordIntended(ref, network);
    expect(second.id).not.toBe(first.id);
    const all = await store.read.listExternalObjects({ includeGone: true });
    expect(all.find(({ id }) => id === first.id)?.state).toBe("gone");
    expect(all).toHaveLength(2);
  });

  it("refuses a thing that belongs to another cluster", async ({ world }) => {
    const { store } = world;
    const a = await declareAndClaim(store, "a");
    const b = await declareAndClaim(store, "b");
    const object = await store.jobs.recordIntended(a.ref, network);
    const before = await dump(world);
    const rival = store.jobs.recordIntended(b.ref, network);
    await expect(rival).rejects.toMatchObject({ code: "object-taken", details: { clusterId: a.cluster.id } });
    await store.jobs.recordPresent(b.ref, object.id);
    await store.jobs.recordGone(b.ref, object.id);
    expect(await dump(world)).toEqual(before);
  });

  it("gives a thing to another cluster only once it was seen gone, however close they come", async ({ world }) => {
    const other = await world.open();
    const a = await declareAndClaim(world.store, "a");
    const b = await declareAndClaim(world.store, "b");
    for (let round = 0; round < 12; round++) {
      const thing = { ...network, ref: `r${round}` };
      const object = await world.store.jobs.recordIntended(a.ref, thing);
      const [, taken] = await Promise.allSettled([
        world.store.jobs.recordGone(a.ref, object.id),
        other.jobs.recordIntended(b.ref, thing),
      ]);
      const told = taken.status === "fulfilled" ? taken.value.clusterId : taken.reason.code;
      expect([b.cluster.id, "object-taken"], `round ${round}`).toContain(told);
    }
  });

  it("lists what there is of all clusters", async ({ world: { store } }) => {
    const a = await declareAndClaim(store, "a");
    const b = await declareAndClaim(store, "b");
    await store.jobs.recordIntended(a.ref, network);
    await store.jobs.recordIntended(b.ref, { ...network, ref: "b" });
    expect((await store.read.listExternalObjects({})).map(({ ref }) => ref).sort()).toEqual(["b", "dev"]);
    expect(await store.read.listExternalObjects({ clusterId: b.cluster.id })).toMatchObject([{ ref: "b" }]);
  });

  describe("the end of a cluster", () => {
    for (const state of ["intended", "present"] as const) {
      it(`is refused while the ledger has something ${state} that was not seen gone`, async ({ world }) => {
        const { store } = world;
        const { ref } = await declareAndClaim(store);
        const object = await store.jobs.recordIntended(ref, network);
        if (state === "present") await store.jobs.recordPresent(ref, object.id);
        const held = await deleteAndClaim(store, "dev", ref);
        const before = await dump(world);
        await expect(store.jobs.finishDeletion(held, {})).rejects.toMatchObject({
          code: "objects-remain",
          details: { objects: [{ ...network, state }] },
        });
        expect(await dump(world)).toEqual(before);
        await store.jobs.recordGone(held, object.id);
        expect(await store.jobs.finishDeletion(held, {})).toMatchObject({ state: "Succeeded" });
      });
    }

    it("does not come between a thing and its entry", async ({ world: { store } }) => {
      for (let round = 0; round < 8; round++) {
        const name = `dev-${round}`;
        const { ref, cluster } = await declareAndClaim(store, name);
        const held = await deleteAndClaim(store, name, ref);
        await Promise.allSettled([
          store.jobs.recordIntended(held, { ...network, ref: name }),
          store.jobs.finishDeletion(held, {}),
        ]);
        const left = await store.read.listExternalObjects({ clusterId: cluster.id });
        const gone = (await store.read.getCluster(cluster.id))?.deletedAt !== null;
        expect(gone && left.length > 0, `round ${round}`).toBe(false);
        if (!gone) {
          for (const object of left) await store.jobs.recordGone(held, object.id);
          await store.jobs.finishDeletion(held, {});
        }
      }
    });
  });
}
