import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSqliteDatabase, type TestDatabase } from "../../../test/database.ts";
import { listSqliteDrivers } from "../../../test/sqlite-drivers.ts";
import { testKeys } from "../../../test/store-world.ts";
import type { Store } from "../../ports/store/index.ts";
import { ada, claimAll, declare, declareAndClaim, workerAt } from "../../ports/store/world.conformance.ts";
import { openStore } from "../open-store.ts";
import { openRawDatabase, type SqliteDriverName } from "./raw-database.ts";

const run = promisify(execFile);

/** Runs statements in a process of its own and answers the rows of the last one. */
async function inOtherProcess(
  driver: SqliteDriverName,
  file: string,
  ...statements: readonly string[]
): Promise<unknown> {
  const open =
    driver === "node:sqlite"
      ? `new (require("node:sqlite").DatabaseSync)(${JSON.stringify(file)})`
      : `new (require(${JSON.stringify(createRequire(import.meta.url).resolve("libsql"))}))(${JSON.stringify(file)})`;
  const last = statements.at(-1);
  const body = `const db = ${open};
    for (const sql of ${JSON.stringify(statements.slice(0, -1))}) db.exec(sql);
    console.log(JSON.stringify(db.prepare(${JSON.stringify(last)}).all()));
    db.close();`;
  const { stdout } = await run(process.execPath, ["--no-warnings", "-e", body]);
  return JSON.parse(stdout);
}

for (const driver of listSqliteDrivers()) {
  describe(`SQLite (${driver}) and other processes`, () => {
    let database: TestDatabase;
    let opened: Store[];

    const open = async () => {
      const store = await openStore({ url: database.url, keys: testKeys(), sqliteDriver: driver });
      opened.push(store);
      return store;
    };
    beforeEach(() => {
      database = createSqliteDatabase((file) => openRawDatabase(file, { driver }));
      opened = [];
    });
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
      await database.dispose();
    });

    it("hears of what another process writes", async () => {
      const store = await open();
      const woken = Promise.all(
        (["jobs", "events", "logs", "outbox"] as const).map(
          (topic) => new Promise<void>((resolve) => store.wake.onWake(topic, resolve)),
        ),
      );
      await inOtherProcess(driver, database.url, "insert into plans values ('h', '{}', 1)", "select 1");
      await woken;
      expect(await store.upkeep.checkHealth()).toMatchObject({ ok: true });
    });

    it("keeps its hold on the file when a second store of this process is opened and closed", async () => {
      const store = await open();
      await declare(store, "before");
      const second = await open();
      await second.close();
      // Whoever takes itself for the last one clears the log away: what is written afterwards would be lost.
      await inOtherProcess(driver, database.url, "pragma journal_mode", "select count(*) from clusters");
      await declare(store, "after");
      const rows = await inOtherProcess(driver, database.url, "select name from clusters order by name");
      expect(rows).toEqual([{ name: "after" }, { name: "before" }]);
    });

    it("holds leases across restarts, and ends them all with a reboot", async () => {
      const store = await open();
      const { ref } = await declareAndClaim(store);
      await store.outbox.enqueue({ topic: "t", payload: 1 });
      await store.outbox.claimMessages({ holder: "w", limit: 1, leaseMs: 60_000 });
      await store.leases.acquireLease({ key: "leader", holder: "w1", ttlMs: 60_000 });
      await store.close();
      const again = await open();
      expect(await claimAll(again, workerAt({ id: "w2" }))).toEqual([]);
      await again.close();
      await database.execute(`update settings set value = '"another boot"' where key = 'store.boot'`);
      const rebooted = await open();
      expect(await claimAll(rebooted, workerAt({ id: "w2" }))).toMatchObject([
        { takenOver: true, ref: { jobId: ref.jobId } },
      ]);
      expect(await rebooted.outbox.claimMessages({ holder: "w2", limit: 1, leaseMs: 1 })).toHaveLength(1);
      expect(await rebooted.leases.acquireLease({ key: "leader", holder: "w2", ttlMs: 1 })).toMatchObject({ token: 2 });
    });

    it("is made once by several that open it at once", async () => {
      const stores = await Promise.all(Array.from({ length: 5 }, () => open()));
      await Promise.all(stores.map((store, index) => declare(store, `c${index}`)));
      expect((await stores[0]?.read.listClusters({ limit: 9 }))?.items).toHaveLength(5);
    });

    it("has no plaintext of a secret in the file nor in its log", async () => {
      const { readFileSync } = await import("node:fs");
      const store = await open();
      const canary = "canary-4d1f-plaintext";
      await store.secrets.putSecret(ada, { owner: "o", name: "n", value: Buffer.from(canary) });
      await inOtherProcess(driver, database.url, "pragma wal_checkpoint", "select 1");
      await store.secrets.putSecret(ada, { owner: "o", name: "n", value: Buffer.from(canary) });
      const { stdout } = await run("cat", [database.url, `${database.url}-wal`], {
        encoding: "latin1",
        maxBuffer: 1e8,
      });
      expect(stdout).toContain("cluster_labels");
      expect(stdout).not.toContain(canary);
      await store.close();
      expect(readFileSync(database.url, "latin1")).not.toContain(canary);
    });
  });
}
