import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DroverError } from "@drover/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countingClock } from "../../../test/counting-clock.ts";
import { listSqliteDrivers } from "../../../test/sqlite-drivers.ts";
import { testKeys } from "../../../test/store-world.ts";
import { waitUntil } from "../../../test/wait-for.ts";
import { systemClock } from "../../ports/clock.ts";
import { ada, declare } from "../../ports/store/world.conformance.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import { openStore } from "../open-store.ts";
import { openSqlite } from "./open.ts";
import { openRawDatabase } from "./raw-database.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drover-unfit-"));
  file = join(folder, "drover.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hashOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** Every file of the folder with its content, but for the one that only holds who is reading. */
const picture = () =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => !name.endsWith("-shm"))
      .sort()
      .map((name) => [name, hashOf(join(folder, name))]),
  );

for (const driver of listSqliteDrivers()) {
  const open = (key = 1) => openStore({ url: file, keys: testKeys(key), sqliteDriver: driver });
  const raw = (path = file) => openRawDatabase(path, { driver });

  const refusal = async (attempt: Promise<{ close(): Promise<void> }>): Promise<DroverError> => {
    const opened = await attempt.then(
      (store) => store,
      (error: DroverError) => error,
    );
    if (!("close" in opened)) return opened;
    await opened.close();
    throw new Error("it was not refused");
  };

  /** A store with something in it, closed. */
  const fill = async () => {
    const store = await open();
    for (let index = 0; index < 40; index++) await declare(store, `c${index}`, { labels: { a: "b" } });
    await store.secrets.putSecret(ada, { owner: "o", name: "n", value: Buffer.from("x") });
    await store.close();
  };

  /** The file and the log of a store whose process has died. */
  const fillAndDie = async () => {
    const store = await open();
    await declare(store, "dev");
    for (const end of ["", "-wal"]) copyFileSync(`${file}${end}`, join(folder, `copy.db${end}`));
    await store.close();
    for (const name of readdirSync(folder)) if (name.startsWith("drover.db")) rmSync(join(folder, name));
    file = join(folder, "copy.db");
  };

  describe(`a file that SQLite (${driver}) cannot have`, () => {
    it("that is no database is refused and left as it is", async () => {
      for (const content of [
        "hello",
        "x".repeat(10_000),
        "SQLite format 3\0 and then nothing of the kind",
        "\0".repeat(8_192),
      ]) {
        writeFileSync(file, content);
        const before = picture();
        const error = await refusal(open());
        expect(error).toMatchObject({ code: "store-damaged" });
        expect(error.message).toContain(file);
        expect(picture()).toEqual(before);
      }
    });

    it("that belongs to another program is refused and left as it is", async () => {
      const other = raw();
      other.exec("create table their_things (id integer primary key)");
      other.close();
      const before = picture();
      const error = await refusal(open());
      expect(error).toMatchObject({ code: "store-damaged" });
      expect(error.message).toContain("another program");
      expect(picture()).toEqual(before);
    });

    it("that is damaged is refused and left as it is", async () => {
      await fill();
      const bytes = readFileSync(file);
      for (const at of [4_096, 8_192, 20_480]) bytes.fill(0xa5, at, at + 2_000);
      writeFileSync(file, bytes);
      const before = picture();
      expect(await refusal(open())).toMatchObject({ code: "store-damaged" });
      expect(picture()).toEqual(before);
    });

    it("that was cut off is refused and left as it is", async () => {
      await fill();
      writeFileSync(file, readFileSync(file).subarray(0, 16_384));
      const before = picture();
      expect(await refusal(open())).toMatchObject({ code: "store-damaged" });
      expect(picture()).toEqual(before);
    });

    it("that is a folder, or in a place that is no folder, is told so", async () => {
      mkdirSync(file);
      expect(await refusal(open())).toMatchObject({ code: "store-unreachable" });
      rmSync(file, { recursive: true });
      writeFileSync(join(folder, "plain"), "");
      file = join(folder, "plain", "drover.db");
      expect(await refusal(open())).toMatchObject({ code: "store-unreachable" });
    });

    it("that a newer Drover wrote is refused and left as it is", async () => {
      await fill();
      const newer = raw();
      newer.exec("insert into drover_migrations values (99, 'from the future', 'x', 1)");
      newer.close();
      const before = picture();
      const error = await refusal(open());
      expect(error).toMatchObject({ code: "store-too-new", details: { schema: 99, known: MIGRATIONS.length } });
      expect(picture()).toEqual(before);
    });

    it("that has another form of a migration is refused and left as it is", async () => {
      await fill();
      const changed = raw();
      changed.exec("update drover_migrations set checksum = 'other' where number = 1");
      changed.close();
      const before = picture();
      expect(await refusal(open())).toMatchObject({ code: "store-migration-changed", details: { migration: 1 } });
      expect(picture()).toEqual(before);
    });

    it("that belongs to another master key is refused and left as it is, also after a reboot", async () => {
      await fill();
      const rebooted = raw();
      rebooted.exec(`update settings set value = '"another boot"' where key = 'store.boot'`);
      rebooted.close();
      const before = picture();
      expect(await refusal(open(2))).toMatchObject({ code: "master-key-wrong" });
      expect(picture()).toEqual(before);
      const store = await open(1);
      expect(Buffer.from((await store.secrets.getSecret("o", "n")) ?? []).toString()).toBe("x");
      await store.close();
    });

    it("whose process died is refused without its log being touched", async () => {
      await fillAndDie();
      const before = picture();
      expect(before).toHaveProperty("copy.db-wal");
      expect(await refusal(open(2))).toMatchObject({ code: "master-key-wrong" });
      const after = picture();
      expect([after["copy.db"], after["copy.db-wal"]]).toEqual([before["copy.db"], before["copy.db-wal"]]);
      const store = await open(1);
      expect(await store.read.findCluster("dev")).not.toBeNull();
      await store.close();
    });

    it("is brought up to date by the migrations that it lacks, all or none", async () => {
      const { foundation, broken } = {
        foundation: MIGRATIONS.slice(0, 1),
        broken: { number: 2, name: "broken", sql: () => ["create table half (a text)", "create nonsense"] },
      };
      await (await openSqlite({ file, clock: systemClock, driver, migrations: foundation })).close();
      const before = hashOf(file);
      const attempt = openSqlite({ file, clock: systemClock, driver, migrations: [...foundation, broken] });
      await expect(attempt).rejects.toThrow(/syntax/);
      const left = raw();
      expect(left.all("select name from sqlite_master where name = 'half'", [])).toEqual([]);
      expect(left.all("select number from drover_migrations", [])).toEqual([{ number: 1 }]);
      left.close();
      expect(hashOf(file)).toBe(before);
      const store = await open();
      expect((await store.upkeep.checkHealth()).schema).toBe(MIGRATIONS.length);
      await store.close();
    });
  });

  describe(`a file that another process keeps locked (${driver})`, () => {
    it("is told so after a while, and is open again afterwards", async () => {
      await fill();
      const holder = raw();
      holder.exec("begin exclusive");
      const impatient = { file, clock: systemClock, driver, patienceMs: 60 };
      const error = await refusal(openSqlite(impatient));
      expect(error).toMatchObject({ code: "store-locked" });
      expect(error.message).toContain(file);
      holder.exec("rollback");
      await (await openSqlite(impatient)).close();
      holder.close();
    });

    it("takes no write, says so, answers reads, and goes on afterwards", async () => {
      await fill();
      const hasty = await openSqlite({ file, clock: systemClock, driver, patienceMs: 1 });
      const clock = countingClock();
      const session = await openSqlite({ file, clock, driver });
      const holder = raw();
      holder.exec("begin exclusive");
      const count = () => session.read((db) => db.selectFrom("clusters").select("id").execute());
      const write = (by = session) =>
        by.write((tx) => tx.db.deleteFrom("clusters").where("name", "in", ["c1", "c2"]).returning("name").execute());
      await expect(write(hasty)).rejects.toMatchObject({ code: "store-locked" });
      expect(await count()).toHaveLength(40);
      const before = clock.looks;
      const waiting = write();
      await waitUntil(() => clock.looks >= before + 3);
      holder.exec("rollback");
      expect(await waiting).toHaveLength(2);
      expect(await count()).toHaveLength(38);
      expect(await write(hasty)).toEqual([]);
      holder.close();
      await session.close();
      await hasty.close();
    });

    it("is waited for as long as somebody writes in it", async () => {
      await fill();
      const holder = raw();
      holder.exec("begin immediate");
      const clock = countingClock();
      const opening = openStore({ url: file, keys: testKeys(), sqliteDriver: driver, clock });
      await waitUntil(() => clock.looks >= 3);
      holder.exec("commit");
      const store = await opening;
      expect((await declare(store, "late")).outcome).toBe("created");
      await store.close();
      holder.close();
    });
  });

  it(`is made with its folder, readable by its owner only (${driver})`, async () => {
    file = join(folder, "a", "b", "drover.db");
    const store = await open();
    await store.close();
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    expect((statSync(join(folder, "a")).mode & 0o777).toString(8)).toBe("700");
  });
}
