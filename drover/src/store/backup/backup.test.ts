import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillStore, inEmpty, inWorld, ODD } from "../../../test/fill-store.ts";
import { createWorld, testKeys } from "../../../test/store-world.ts";
import type { Store } from "../../ports/store/index.ts";
import { claimOne, declare, dump, refusalOf, type StoreWorld, workerAt } from "../../ports/store/world.conformance.ts";
import { openStore } from "../open-store.ts";
import { restoreStore } from "./restore.ts";

/** Everything in a store, but for what belongs to a place and a time: leases, when to look, and which boot it was. */
async function contentsOf(world: StoreWorld): Promise<Record<string, readonly string[]>> {
  const { looks: _looks, backups: _backups, ...tables } = await dump(world);
  const plain = (row: string) => {
    const { lease_expires_at: _a, expires_at: _b, ...rest } = JSON.parse(row) as Record<string, unknown>;
    return JSON.stringify(
      Object.entries(rest)
        .map(([column, value]) => [column, value === null ? null : String(value as string | number)])
        .sort(),
    );
  };
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [
      name,
      rows
        .filter((row) => !row.includes("store.boot"))
        .map(plain)
        .sort(),
    ]),
  );
}

const KINDS = ["SQLite", "PostgreSQL"] as const;

for (const from of KINDS) {
  for (const to of KINDS) {
    it(`restores a backup of ${from} into ${to}, with everything in it`, async () => {
      await inWorld(from, async (source) => {
        await fillStore(source.store);
        const file = join(source.folder, "store.backup");
        const { bytes, sha256 } = await source.store.upkeep.backUp(file);
        expect([statSync(file).size, statSync(file).mode & 0o777]).toEqual([bytes, 0o600]);
        expect(sha256).toMatch(/^[0-9a-f]{64}$/);
        await inEmpty(to, async (database) => {
          const { rows } = await restoreStore({ url: database.url, file });
          expect(rows).toBeGreaterThan(30);
          const target = await createWorld(to === "SQLite" ? "sqlite" : "postgres", database);
          try {
            expect(await contentsOf(target)).toEqual(await contentsOf(source));
            await expectLiving(target.store, source.store);
          } finally {
            await target.dispose();
          }
        });
      });
    });
  }
}

async function expectLiving(target: Store, source: Store): Promise<void> {
  expect(await target.audit.verifyAudit()).toEqual(await source.audit.verifyAudit());
  expect((await target.audit.verifyAudit()).ok).toBe(true);
  expect(Buffer.from((await target.secrets.getSecret("o", "n")) ?? []).toString()).toBe(Buffer.from(ODD).toString());
  const { id: clusterId = "" } = (await target.read.findCluster("dev")) ?? {};
  const [job] = (await target.read.listJobs({ clusterId, limit: 1 })).items;
  expect((await target.read.readLog({ jobId: job?.id ?? "", from: 1, limit: 1 }))[0]?.text).toBe(ODD);
  // Whoever held something when the backup was made holds nothing here.
  expect(await claimOne(target, workerAt({ id: "w2" }))).toMatchObject({ takenOver: true });
  expect(await target.leases.acquireLease({ key: "leader", holder: "w2", ttlMs: 1 })).toMatchObject({ token: 2 });
  const last = await source.read.lastEventCursor();
  await declare(target, "new");
  const { events } = await target.read.readEvents({ after: last, limit: 9 });
  expect(events.map(({ kind }) => kind)).toEqual(["job.taken-over", "cluster.create"]);
}

for (const kind of KINDS) {
  describe(`a backup on ${kind}`, () => {
    it("is one moment of a store that is written to meanwhile", async () => {
      await inWorld(kind, async (source) => {
        const { store } = source;
        for (let index = 0; index < 30; index++) await declare(store, `a${index}`);
        let writing = true;
        let written = 0;
        const writer = (async () => {
          while (writing) await declare(store, `b${written++}`, { labels: { a: "b" } });
        })();
        const file = join(source.folder, "store.backup");
        await store.upkeep.backUp(file);
        const during = written;
        writing = false;
        await writer;
        expect(during).toBeGreaterThan(0);
        await inEmpty("SQLite", async (database) => {
          await restoreStore({ url: database.url, file });
          const restored = await openStore({ url: database.url, keys: testKeys() });
          const { total } = await restored.read.countClusters({});
          const audit = await restored.audit.verifyAudit();
          const { events } = await restored.read.readEvents({ after: 0, limit: 10_000 });
          const jobs = await restored.read.listJobs({ limit: 10_000 });
          await restored.close();
          expect(audit).toEqual({ ok: true, checked: total, broken: null });
          expect([events.length, jobs.items.length]).toEqual([total, total]);
        });
      });
    });

    it("keeps counting events where all of them were removed", async () => {
      await inWorld(kind, async (source) => {
        await declare(source.store, "dev");
        const last = await source.store.read.lastEventCursor();
        await source.execute("update events set at = 1");
        const forever = { finishedJobs: 1e14, deletedClusters: 1e14, idempotencyKeys: 1e14, delivered: 1e14 };
        await source.store.upkeep.applyRetention({ ...forever, events: 1_000, endedAccess: 1e14, goneObjects: 1e14 });
        const file = join(source.folder, "store.backup");
        await source.store.upkeep.backUp(file);
        await inEmpty(kind, async (database) => {
          await restoreStore({ url: database.url, file });
          const restored = await openStore({ url: database.url, keys: testKeys() });
          await declare(restored, "next");
          const { events } = await restored.read.readEvents({ after: last, limit: 9 });
          await restored.close();
          expect(events.map(({ clusterName }) => clusterName)).toEqual(["next"]);
        });
      });
    });

    it("is not restored over anything", async () => {
      await inWorld(kind, async (source) => {
        await fillStore(source.store);
        const file = join(source.folder, "store.backup");
        await source.store.upkeep.backUp(file);
        await inWorld(kind, async (target) => {
          await declare(target.store, "mine");
          const before = await dump(target);
          const { url } = target;
          expect(await refusalOf(restoreStore({ url, file }))).toBe("store-not-empty");
          expect(await dump(target)).toEqual(before);
        });
      });
    });
  });
}
