import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSqliteDatabase, type TestDatabase } from "../../../test/database.ts";
import { listSqliteDrivers } from "../../../test/sqlite-drivers.ts";
import { testKeys } from "../../../test/store-world.ts";
import { systemClock } from "../../ports/clock.ts";
import type { Store } from "../../ports/store/index.ts";
import { ada, declare, refusalOf } from "../../ports/store/world.conformance.ts";
import { openStore, storeOn } from "../open-store.ts";
import { ProcessSigns } from "./process-signs.ts";
import { openRawDatabase, type RawDatabase } from "./raw-database.ts";
import { SqliteSession } from "./session.ts";

for (const driver of listSqliteDrivers()) {
  describe(`the writes of one process on SQLite (${driver})`, () => {
    let database: TestDatabase;
    let session: SqliteSession;
    let store: Store;
    let writer: RawDatabase;
    /** The statements that begin and end transactions, as they went to the writer. */
    let sent: string[];
    let beforeStatement: (statement: string) => void;

    beforeEach(async () => {
      database = createSqliteDatabase((file) => openRawDatabase(file, { driver }));
      await (await openStore({ url: database.url, keys: testKeys(), sqliteDriver: driver })).close();
      sent = [];
      beforeStatement = () => {};
      const open = () => openRawDatabase(database.url, { driver });
      const raw = open();
      raw.exec("pragma foreign_keys = on");
      writer = raw;
      const watched: RawDatabase = {
        ...raw,
        exec: (statement) => {
          beforeStatement(statement);
          raw.exec(statement);
          sent.push(statement);
        },
      };
      const options = {
        ...{ file: database.url, writer: watched, openReader: open },
        ...{ clock: systemClock, patienceMs: 1_000, life: new ProcessSigns() },
      };
      session = new SqliteSession(options);
      store = storeOn(session, testKeys());
    });
    afterEach(async () => {
      await store.close();
      await database.dispose();
    });

    const commits = () => sent.filter((statement) => statement === "commit").length;
    const names = async () => (await store.read.listClusters({ limit: 100 })).items.map(({ name }) => name);

    it("that come at the same moment share one commit", async () => {
      await Promise.all(Array.from({ length: 50 }, (_, index) => declare(store, `c${index}`)));
      expect(commits()).toBe(1);
      expect(await names()).toHaveLength(50);
      await declare(store, "one");
      await declare(store, "two");
      expect(commits()).toBe(3);
    });

    it("are answered only after the commit that holds them", async () => {
      const order: string[] = [];
      beforeStatement = (statement) => void (statement === "commit" && order.push("commit"));
      await Promise.all(["a", "b"].map(async (name) => order.push((await declare(store, name)).cluster.name)));
      expect(order).toEqual(["commit", "a", "b"]);
    });

    it("do not take each other with them when one fails", async () => {
      await declare(store, "old");
      const group = [
        declare(store, "a"),
        declare(store, "old", { expectedVersion: null }),
        session.write(async (tx) => {
          await tx.db.updateTable("clusters").set({ name: "half" }).where("name", "=", "a").execute();
          throw new Error("in the middle");
        }),
        declare(store, "b"),
      ];
      const settled = await Promise.allSettled(group);
      expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
      expect(commits()).toBe(2);
      expect(await names()).toEqual(["a", "b", "old"]);
      expect(await store.audit.verifyAudit()).toMatchObject({ ok: true, checked: 3 });
    });

    it("all fail when their commit fails, nothing of them is left, and the next ones succeed", async () => {
      beforeStatement = (statement) => {
        if (statement !== "commit") return;
        beforeStatement = () => {};
        throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL", rawCode: 13, errcode: 13 });
      };
      const settled = await Promise.allSettled(["a", "b", "c"].map((name) => declare(store, name)));
      const codes = settled.map((result) => (result.status === "rejected" ? result.reason.code : "none"));
      expect(codes).toEqual(["store-full", "store-full", "store-full"]);
      expect(await names()).toEqual([]);
      await declare(store, "d");
      expect(await names()).toEqual(["d"]);
    });

    it("wait for one commit at most 256 at a time", async () => {
      await Promise.all(
        Array.from({ length: 300 }, () =>
          store.audit.recordAudit(ada, { action: "a", objectKind: "k", objectName: "n" }),
        ),
      );
      expect(commits()).toBe(2);
      expect(await store.audit.verifyAudit()).toMatchObject({ ok: true, checked: 300 });
    });

    it("that are under way are let end when the store is closed", async () => {
      const late = ["a", "b", "c"].map((name) => declare(store, name));
      await store.close();
      expect((await Promise.all(late)).map(({ outcome }) => outcome)).toEqual(["created", "created", "created"]);
      expect(await refusalOf(declare(store, "d"))).toBe("store-unreachable");
      expect(await database.execute("select count(*) as count from clusters")).toEqual([{ count: 3 }]);
    });

    it("are refused whole when there is no room left, while reads go on", async () => {
      for (let index = 0; index < 20; index++)
        await declare(store, `c${index}`, { annotations: { text: "x".repeat(500) } });
      const before = await database.execute("select name, version from clusters order by name");
      const pages = Number(writer.all("pragma page_count", [])[0]?.["page_count"]);
      writer.exec(`pragma max_page_count = ${pages}`);
      let code = "none";
      for (let index = 0; code === "none" && index < 200; index++) {
        const annotations = { text: "y".repeat(50_000) };
        code = await declare(store, "c0", { annotations, labels: { index: `${index}` } }).then(
          () => "none",
          (error) => error.code,
        );
      }
      expect(code).toBe("store-full");
      expect((await names()).length).toBe(before.length);
      expect(await store.read.findCluster("c1")).toMatchObject({ annotations: { text: "x".repeat(500) } });
      expect(writer.all("pragma integrity_check", [])).toEqual([{ integrity_check: "ok" }]);
      expect(await store.audit.verifyAudit()).toMatchObject({ ok: true });
      writer.exec("pragma max_page_count = 1000000");
      expect((await declare(store, "c0", { annotations: { text: "z" } })).outcome).toBe("updated");
    });
  });
}
