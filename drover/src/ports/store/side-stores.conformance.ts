import { describe, expect } from "vitest";
import {
  ada,
  breakTable,
  dump,
  failureOf,
  letPass,
  refusalOf,
  type StoreSubject,
  storeTest,
  tickingClock,
} from "./world.conformance.ts";

const HOUR = 3_600_000;

export function describeOutbox(subject: StoreSubject): void {
  const it = storeTest(subject);
  const take = { holder: "w1", limit: 10, leaseMs: HOUR };

  describe("outbox", () => {
    it("hands a message to one at a time until it is delivered", async ({ world: { store } }) => {
      const id = await store.outbox.enqueue({ topic: "mail", payload: { to: "ada" } });
      const [message, ...more] = await store.outbox.claimMessages(take);
      expect(more).toEqual([]);
      expect(message).toEqual({ id, topic: "mail", payload: { to: "ada" }, attempt: 1, token: 1 });
      expect(await store.outbox.claimMessages({ ...take, holder: "w2" })).toEqual([]);
      if (message === undefined) throw new Error("nothing was claimed");
      expect(await store.outbox.markDelivered(message)).toBe(true);
      expect(await store.outbox.markDelivered(message)).toBe(false);
      expect(await store.outbox.markFailed(message, { error: "x", delayMs: 0 })).toBe(false);
      expect(await store.outbox.claimMessages(take)).toEqual([]);
    });

    it("keeps a message for later and takes the oldest first", async ({ world }) => {
      const store = await world.open({ clock: tickingClock() });
      await store.outbox.enqueue({ topic: "later", payload: 1, delayMs: HOUR });
      for (const topic of ["a", "b", "c"]) await store.outbox.enqueue({ topic, payload: 1 });
      const next = async () =>
        (await store.outbox.claimMessages({ ...take, leaseMs: 9 * HOUR, limit: 1 })).map(({ topic }) => topic);
      expect([await next(), await next(), await next(), await next()]).toEqual([["a"], ["b"], ["c"], []]);
      await letPass(world, HOUR, "outbox");
      expect(await next()).toEqual(["later"]);
    });

    it("hands a failed message out again after its delay, and once its holder is gone", async ({ world }) => {
      const { store } = world;
      await store.outbox.enqueue({ topic: "mail", payload: 1 });
      const [first] = await store.outbox.claimMessages(take);
      if (first === undefined) throw new Error("nothing was claimed");
      expect(await store.outbox.markFailed(first, { error: "no \u0000 route", delayMs: HOUR })).toBe(true);
      expect(await store.outbox.claimMessages(take)).toEqual([]);
      await world.execute("update outbox set run_at = 0");
      expect(await store.outbox.claimMessages(take)).toMatchObject([{ id: first.id, attempt: 2, token: 2 }]);
      await world.execute("update outbox set lease_expires_at = 0");
      expect(await store.outbox.claimMessages({ ...take, holder: "w2" })).toMatchObject([{ attempt: 3, token: 3 }]);
    });

    it("takes nothing from a holder whose message went to another", async ({ world }) => {
      const { store } = world;
      await store.outbox.enqueue({ topic: "mail", payload: 1 });
      const [stale] = await store.outbox.claimMessages(take);
      await world.execute("update outbox set lease_expires_at = 0");
      const [held] = await store.outbox.claimMessages({ ...take, holder: "w2" });
      if (stale === undefined || held === undefined) throw new Error("nothing was claimed");
      const before = await dump(world);
      expect(await store.outbox.markDelivered(stale)).toBe(false);
      expect(await store.outbox.markFailed(stale, { error: "x", delayMs: 0 })).toBe(false);
      expect(await dump(world)).toEqual(before);
      expect(await store.outbox.markDelivered(held)).toBe(true);
    });

    it("hands no message to two who ask at once", async ({ world }) => {
      const other = await world.open();
      const ids = await Promise.all(
        Array.from({ length: 40 }, (_, index) => world.store.outbox.enqueue({ topic: "t", payload: index })),
      );
      const takes = Array.from({ length: 16 }, (_, index) =>
        (index % 2 === 0 ? world.store : other).outbox.claimMessages({
          holder: `w${index}`,
          limit: 5,
          leaseMs: HOUR,
        }),
      );
      const taken = (await Promise.all(takes)).flat().map(({ id }) => id);
      expect(new Set(taken).size).toBe(taken.length);
      const rest = await world.store.outbox.claimMessages({ ...take, limit: 100 });
      expect([...taken, ...rest.map(({ id }) => id)].sort()).toEqual([...ids].sort());
    });
  });
}

export function describeSettings(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("settings", () => {
    it("are put, read, listed by prefix and deleted", async ({ world: { store } }) => {
      expect(await store.settings.getSetting("ui.theme")).toBeNull();
      const put = await store.settings.putSetting(ada, { key: "ui.theme", value: { dark: true } });
      expect(put).toMatchObject({ key: "ui.theme", value: { dark: true }, version: 1, updatedBy: "ada" });
      await store.settings.putSetting(ada, { key: "ui.lang", value: "zh" });
      await store.settings.putSetting(ada, { key: "uix", value: null });
      expect(await store.settings.getSetting("ui.theme")).toEqual(put);
      expect((await store.settings.listSettings("ui.")).map(({ key }) => key)).toEqual(["ui.lang", "ui.theme"]);
      expect(await store.settings.listSettings()).toHaveLength(3);
      expect(await store.settings.deleteSetting(ada, "ui.lang")).toBe(true);
      expect(await store.settings.deleteSetting(ada, "ui.lang")).toBe(false);
      expect(await store.settings.getSetting("ui.lang")).toBeNull();
      const audit = await store.read.listAudit({ limit: 9, objectKind: "setting" });
      expect(audit.map(({ action }) => action)).toEqual([
        "setting.delete",
        "setting.put",
        "setting.put",
        "setting.put",
      ]);
      const { events } = await store.read.readEvents({ after: 0, limit: 9 });
      expect(events.map(({ kind }) => kind)).toEqual(["setting.put", "setting.put", "setting.put", "setting.delete"]);
    });

    it("change only from the version that was read", async ({ world }) => {
      const { store } = world;
      await store.settings.putSetting(ada, { key: "k", value: 1, expectedVersion: 0 });
      await store.settings.putSetting(ada, { key: "k", value: 2, expectedVersion: 1 });
      const before = await dump(world);
      const stale = store.settings.putSetting(ada, { key: "k", value: 3, expectedVersion: 1 });
      await expect(stale).rejects.toMatchObject({ code: "setting-conflict", details: { version: 2 } });
      expect(await refusalOf(store.settings.putSetting(ada, { key: "k", value: 3, expectedVersion: 0 }))).toBe(
        "setting-conflict",
      );
      expect(await refusalOf(store.settings.putSetting(ada, { key: "new", value: 3, expectedVersion: 4 }))).toBe(
        "setting-conflict",
      );
      expect(await dump(world)).toEqual(before);
    });

    it("keep the store's own notes to itself", async ({ world }) => {
      const { store } = world;
      const before = await dump(world);
      const own = (await world.execute("select key from settings")).map((row) => String(row["key"]));
      expect(own).toContain("store.master-key");
      expect(await store.settings.listSettings()).toEqual([]);
      for (const key of own) {
        expect(await store.settings.getSetting(key)).toBeNull();
        expect(await store.settings.deleteSetting(ada, key)).toBe(false);
        expect(await failureOf(store.settings.putSetting(ada, { key, value: 1 }))).toContain("belong to the store");
      }
      expect(await dump(world)).toEqual(before);
    });

    it("are not put without an audit entry", async ({ world }) => {
      await breakTable(world, "audit", "insert");
      const before = await dump(world);
      expect(await failureOf(world.store.settings.putSetting(ada, { key: "k", value: 1 }))).toContain("broken");
      expect(await dump(world)).toEqual(before);
    });
  });
}

export function describeLeases(subject: StoreSubject): void {
  const it = storeTest(subject);
  const leader = { key: "leader", holder: "w1", ttlMs: HOUR };

  describe("leases", () => {
    it("are held by one at a time", async ({ world: { store } }) => {
      const lease = await store.leases.acquireLease({ ...leader, data: { url: "x" } });
      expect(lease).toEqual({ key: "leader", holder: "w1", token: 1, data: { url: "x" } });
      expect(await store.leases.acquireLease({ ...leader, holder: "w2" })).toBeNull();
      if (lease === null) throw new Error("it was not acquired");
      expect(await store.leases.renewLease(lease, { ttlMs: HOUR })).toBe(true);
      expect(await store.leases.listLeases("lead")).toEqual([lease]);
      expect(await store.leases.renewLease(lease, { ttlMs: HOUR, data: [1] })).toBe(true);
      expect(await store.leases.listLeases("lead")).toMatchObject([{ data: [1] }]);
      expect(await store.leases.listLeases("x")).toEqual([]);
      expect(await store.leases.releaseLease(lease)).toBe(true);
      expect(await store.leases.listLeases("")).toEqual([]);
      expect(await store.leases.acquireLease({ ...leader, holder: "w2" })).toMatchObject({ holder: "w2", token: 2 });
    });

    it("come back to their own holder, which fences off what it was before", async ({ world: { store } }) => {
      const before = await store.leases.acquireLease(leader);
      const after = await store.leases.acquireLease(leader);
      expect(after).toMatchObject({ holder: "w1", token: 2 });
      if (before === null || after === null) throw new Error("it was not acquired");
      expect(await store.leases.renewLease(before, { ttlMs: 1 })).toBe(false);
      expect(await store.leases.renewLease(after, { ttlMs: HOUR })).toBe(true);
    });

    it("run out, and open nothing to who held them", async ({ world }) => {
      const { store } = world;
      const stale = await store.leases.acquireLease({ ...leader, ttlMs: 2 * HOUR });
      await letPass(world, HOUR, "leases");
      expect(await store.leases.acquireLease({ ...leader, holder: "w2" })).toBeNull();
      await letPass(world, HOUR, "leases");
      expect(await store.leases.listLeases("")).toEqual([]);
      const held = await store.leases.acquireLease({ ...leader, holder: "w2" });
      expect(held).toMatchObject({ holder: "w2", token: 2 });
      if (stale === null) throw new Error("it was not acquired");
      const before = await dump(world);
      expect(await store.leases.renewLease(stale, { ttlMs: HOUR })).toBe(false);
      expect(await store.leases.renewLease({ ...stale, holder: "w2" }, { ttlMs: HOUR })).toBe(false);
      expect(await store.leases.releaseLease(stale)).toBe(false);
      expect(await dump(world)).toEqual(before);
    });

    it("go to one of many who ask at once", async ({ world }) => {
      const other = await world.open();
      const asks = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? world.store : other).leases.acquireLease({ ...leader, holder: `w${index}` }),
      );
      expect((await Promise.all(asks)).filter((lease) => lease !== null)).toHaveLength(1);
    });
  });
}

export function describeUpkeep(subject: StoreSubject): void {
  const it = storeTest(subject);

  it("says that it is well, and refuses everything once it is closed", async ({ world }) => {
    const store = await world.open();
    expect(await store.upkeep.checkHealth()).toMatchObject({ ok: true, database: world.database });
    await store.close();
    await store.close();
    expect(await refusalOf(store.read.findCluster("dev"))).toBe("store-unreachable");
    expect(await refusalOf(store.audit.recordAudit(ada, { action: "a", objectKind: "k", objectName: "n" }))).toBe(
      "store-unreachable",
    );
    expect(await store.upkeep.checkHealth()).toMatchObject({ ok: false });
  });
}
