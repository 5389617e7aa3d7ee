import { describe, expect } from "vitest";
import type { Store } from "./index.ts";
import {
  ada,
  claimOne,
  countRows,
  declare,
  declareAndCreate,
  type StoreSubject,
  type StoreWorld,
  specWith,
  storeTest,
  workerAt,
} from "./world.conformance.ts";

/** Sleeps at each full hour and wakes half an hour later. */
const hourly = { hibernate: "0 * * * *", wake: "30 * * * *", timezone: "UTC" };
/** Comes round once in a year: nothing of it happens while a test runs. */
const yearly = { hibernate: "0 0 1 1 *", timezone: "UTC" };
const LIMIT = { limit: 100 };
const HALF_HOUR_MS = 1_800_000;

const withSchedule = (schedule: object, workers = 1) => specWith(workers, { maintenance: { schedule } });

/** As if the schedule should have been asked at that time. */
const dueSince = (world: StoreWorld, name: string, at: number) =>
  world.execute(`update clusters set switch_at = ${at} where name = '${name}'`);

const findSwitch = async (world: StoreWorld, name: string) => {
  const [row] = await world.execute(`select hibernated, switch_at from clusters where name = '${name}'`);
  const at = row?.["switch_at"] ?? null;
  return { hibernated: Number(row?.["hibernated"]) === 1, at: at === null ? null : Number(at) };
};

/** The last time at which the hourly schedule spoke, and what it said. */
function lastOf(now: number): { at: number; hibernated: boolean } {
  const at = now - (now % HALF_HOUR_MS);
  return { at, hibernated: at % (2 * HALF_HOUR_MS) === 0 };
}

export function describeSchedules(subject: StoreSubject): void {
  const it = storeTest(subject);
  const at = (store: Store) => store.observations.readTime();

  it("are asked for the first time soon after they were declared, and nothing was missed", async ({ world }) => {
    const { store } = world;
    expect(await store.schedules.nextSwitchIn()).toBeNull();
    await declare(store, "plain");
    expect(await store.schedules.nextSwitchIn()).toBeNull();
    await declare(store, "dev", { spec: withSchedule(hourly) });
    expect(await store.schedules.nextSwitchIn()).toBe(0);
    expect(await store.schedules.applySwitches(LIMIT)).toEqual([{ clusterName: "dev", hibernated: null }]);
    const wait = (await store.schedules.nextSwitchIn()) ?? 0;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(HALF_HOUR_MS);
    expect(await findSwitch(world, "dev")).toMatchObject({ hibernated: false });
    expect(await store.schedules.applySwitches(LIMIT)).toEqual([]);
  });

  it("have only the last of what was missed come about, once", async ({ world }) => {
    const { store } = world;
    await declare(store, "dev", { spec: withSchedule(hourly) });
    const now = await at(store);
    const last = lastOf(now);
    await dueSince(world, "dev", last.at - 10 * HALF_HOUR_MS);
    await world.execute(`update clusters set hibernated = ${last.hibernated ? 0 : 1}`);
    const audited = await countRows(world, "audit", "actor_name = 'schedule'");
    const made = await store.schedules.applySwitches(LIMIT);
    expect(made).toEqual([{ clusterName: "dev", hibernated: last.hibernated }]);
    const after = await findSwitch(world, "dev");
    expect(after.hibernated).toBe(last.hibernated);
    expect(after.at).toBe(last.at + HALF_HOUR_MS);
    expect((await store.read.findCluster("dev"))?.hibernated).toBe(last.hibernated);
    expect(await countRows(world, "audit", "actor_name = 'schedule'")).toBe(audited + 1);
    const kind = last.hibernated ? "cluster.hibernate" : "cluster.wake";
    expect(await countRows(world, "events", `kind = '${kind}'`)).toBe(1);
  });

  it("say nothing of what is so already", async ({ world }) => {
    const { store } = world;
    await declare(store, "dev", { spec: withSchedule(hourly) });
    const last = lastOf(await at(store));
    await dueSince(world, "dev", last.at);
    await world.execute(`update clusters set hibernated = ${last.hibernated ? 1 : 0}`);
    expect(await store.schedules.applySwitches(LIMIT)).toEqual([{ clusterName: "dev", hibernated: null }]);
    expect(await countRows(world, "audit", "actor_name = 'schedule'")).toBe(0);
  });

  it("have the cluster looked at, at once", async ({ world }) => {
    const { store } = world;
    await declare(store, "dev", { spec: withSchedule(hourly) });
    await store.jobs.finishJobs([{ ref: (await claimOne(store)).ref, state: "Succeeded" }]);
    const looks = { resyncMs: 1e6, healthMs: 1e6, jitterMs: 1, changed: [] };
    await store.looks.closeLooks(await store.looks.claimLooks(workerAt(), { limit: 9, leaseMs: 1e6 }), looks);
    expect((await store.looks.claimLooks(workerAt(), { limit: 9, leaseMs: 1e6 })).looks).toEqual([]);
    const last = lastOf(await at(store));
    await dueSince(world, "dev", last.at);
    await world.execute(`update clusters set hibernated = ${last.hibernated ? 0 : 1}`);
    await store.schedules.applySwitches(LIMIT);
    expect((await store.looks.claimLooks(workerAt(), { limit: 9, leaseMs: 1e6 })).looks).toHaveLength(1);
  });

  it("go on as they were through other changes, and are worked out anew when they change", async ({ world }) => {
    const { store } = world;
    await declare(store, "dev", { spec: withSchedule(yearly) });
    await store.schedules.applySwitches(LIMIT);
    const before = await findSwitch(world, "dev");
    await declare(store, "dev", { spec: withSchedule(yearly, 2), jobKind: "update" });
    expect(await findSwitch(world, "dev")).toEqual(before);
    await declare(store, "dev", { spec: withSchedule(hourly, 2), jobKind: null });
    expect(await findSwitch(world, "dev")).toMatchObject({ at: 0 });
    await declare(store, "dev", { spec: specWith(2), jobKind: null });
    expect(await findSwitch(world, "dev")).toMatchObject({ at: null });
  });

  it("say nothing of what is to be gone, and speak again when the deletion is taken back", async ({ world }) => {
    const { store } = world;
    await declare(store, "dev", { spec: withSchedule(hourly) });
    await store.desired.deleteCluster({ name: "dev", actor: ada });
    await dueSince(world, "dev", 1);
    expect(await store.schedules.applySwitches(LIMIT)).toEqual([{ clusterName: "dev", hibernated: null }]);
    expect(await findSwitch(world, "dev")).toEqual({ hibernated: false, at: null });
    const { ref } = await claimOne(store);
    await store.jobs.finishJobs([{ ref, state: "Failed" }]);
    await declare(store, "dev", { spec: withSchedule(hourly), jobKind: "repair" });
    expect(await findSwitch(world, "dev")).toMatchObject({ at: 0 });
  });

  it("are kept by nobody twice, however many ask at once", async ({ world }) => {
    const other = await world.open();
    for (let index = 0; index < 6; index++) {
      await declare(world.store, `dev-${index}`, { spec: withSchedule(hourly) });
    }
    const last = lastOf(await at(world.store));
    await world.execute(`update clusters set switch_at = ${last.at}, hibernated = ${last.hibernated ? 0 : 1}`);
    const asked = await Promise.all(
      [world.store, other, world.store, other].map((store) => store.schedules.applySwitches({ limit: 3 })),
    );
    for (let round = 0; round < 6; round++) asked.push(await other.schedules.applySwitches({ limit: 3 }));
    expect(
      asked
        .flat()
        .map(({ clusterName }) => clusterName)
        .sort(),
    ).toEqual(Array.from({ length: 6 }, (_, index) => `dev-${index}`));
    expect(await countRows(world, "audit", "actor_name = 'schedule'")).toBe(6);
  });

  describe("what somebody asks for by hand", () => {
    it("is written down with its job, or not at all", async ({ world: { store } }) => {
      await declareAndCreate(store);
      const ask = { clusterName: "dev", kind: "hibernate", hibernated: true, actor: ada } as const;
      const job = await store.desired.requestJob(ask);
      expect((await store.read.findCluster("dev"))?.hibernated).toBe(true);
      await expect(store.desired.requestJob({ ...ask, kind: "wake", hibernated: false })).rejects.toMatchObject({
        code: "job-live",
      });
      expect((await store.read.findCluster("dev"))?.hibernated).toBe(true);
      await store.desired.cancelJob({ jobId: job.id, actor: ada });
      expect((await store.read.findCluster("dev"))?.hibernated).toBe(false);
    });

    it("brings no generation about", async ({ world: { store } }) => {
      const { generation } = await declareAndCreate(store);
      await declare(store, "dev", { spec: specWith(3), jobKind: null });
      await store.desired.requestJob({ clusterName: "dev", kind: "hibernate", hibernated: true, actor: ada });
      const { ref } = await claimOne(store);
      await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
      await declare(store, "dev", { spec: specWith(4), jobKind: "update" });
      await store.jobs.finishJobs([{ ref: (await claimOne(store)).ref, state: "Failed" }]);
      await store.desired.requestJob({ clusterName: "dev", kind: "wake", hibernated: false, actor: ada });
      await store.jobs.finishJobs([{ ref: (await claimOne(store)).ref, state: "Succeeded" }]);
      expect(await store.read.findCluster("dev")).toMatchObject({
        generation: generation + 2,
        observedGeneration: generation + 1,
      });
    });
  });
}
