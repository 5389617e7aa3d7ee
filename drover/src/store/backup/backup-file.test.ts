import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillStore, inEmpty, inWorld } from "../../../test/fill-store.ts";
import { ada, declare, refusalOf } from "../../ports/store/world.conformance.ts";
import { restoreStore } from "./restore.ts";

describe("a backup file", () => {
  let folder: string;
  let good: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "drover-backup-"));
    good = join(folder, "good.backup");
    await inWorld("SQLite", async ({ store }) => {
      await fillStore(store);
      await store.upkeep.backUp(good);
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const lines = () => gunzipSync(readFileSync(good)).toString().split("\n");
  const packed = (text: readonly string[]) => gzipSync(text.join("\n"));
  const damages: Readonly<Record<string, () => Buffer>> = {
    "is empty": () => Buffer.alloc(0),
    "is something else": () => Buffer.from("hello"),
    "is packed, but something else": () => packed(["hello", ""]),
    "is of another program": () => packed(['{"drover":"no"}', ""]),
    "was cut off": () => readFileSync(good).subarray(0, -40),
    "lacks its end": () => packed(lines().slice(0, -2)),
    "lacks a row": () => packed(lines().filter((_, index) => index !== 3)),
    "has a row twice": () => packed(lines().flatMap((line, index) => (index === 2 ? [line, line] : [line]))),
    "has a changed row": () => packed(lines().map((line) => line.replace('"name":"waiting"', '"name":"waiting2"'))),
    "has a flipped bit": () => {
      const bytes = readFileSync(good);
      bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 4, bytes.length >> 1);
      return bytes;
    },
    "is of a newer Drover": () => packed(lines().map((line) => line.replace(/"schema":\d+/, '"schema":99'))),
    "has another format": () => packed(lines().map((line) => line.replace(/"format":\d+/, '"format":9'))),
  };
  for (const [how, make] of Object.entries(damages)) {
    it(`that ${how} is refused, and nothing is written`, async () => {
      const file = join(folder, "bad.backup");
      writeFileSync(file, make());
      const url = join(folder, "new.db");
      const error = await restoreStore({ url, file }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "backup-unusable" });
      expect((error as Error).message).toContain(file);
      expect(existsSync(url)).toBe(false);
    });
  }

  it("that is missing is refused, and nothing is written", async () => {
    const url = join(folder, "new.db");
    expect(await refusalOf(restoreStore({ url, file: join(folder, "none") }))).toBe("backup-unusable");
    expect(existsSync(url)).toBe(false);
  });

  it("that cannot be written says so and leaves nothing behind", async () => {
    await inWorld("SQLite", async ({ store, folder: place }) => {
      await declare(store, "dev");
      await expect(store.upkeep.backUp(join(place, "none", "x.backup"))).rejects.toThrow(/ENOENT/);
      writeFileSync(join(place, "taken"), "");
      await expect(store.upkeep.backUp(join(place, "taken", "x"))).rejects.toThrow(/ENOTDIR/);
      expect(readdirSync(place)).toEqual(["taken"]);
      expect((await declare(store, "dev", { labels: { a: "b" } })).outcome).toBe("updated");
    });
  });

  it("is whole when several are made at once under one name", async () => {
    await inWorld("SQLite", async ({ store, folder: place }) => {
      await fillStore(store);
      const file = join(place, "same.backup");
      await Promise.all([store.upkeep.backUp(file), store.upkeep.backUp(file), store.upkeep.backUp(file)]);
      expect(readdirSync(place)).toEqual(["same.backup"]);
      await inEmpty("SQLite", async ({ url }) => {
        expect((await restoreStore({ url, file })).rows).toBeGreaterThan(30);
      });
    });
  });

  it("holds no secret in the clear, and its own name in the list of backups", async () => {
    await inWorld("SQLite", async ({ store, folder: place, execute }) => {
      await store.secrets.putSecret(ada, { owner: "o", name: "n", value: Buffer.from("canary-7c1e") });
      const file = join(place, "x.backup");
      const { bytes, sha256 } = await store.upkeep.backUp(file);
      expect(gunzipSync(readFileSync(file)).toString()).not.toContain("canary-7c1e");
      const rows = await execute("select kind, location, bytes, sha256 from backups");
      expect(rows).toEqual([{ kind: "store", location: file, bytes, sha256 }]);
    });
  });
});
