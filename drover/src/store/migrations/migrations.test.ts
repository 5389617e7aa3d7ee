import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MIGRATIONS } from "./index.ts";
import { statements } from "./migration.ts";
import { checkHistory, checksumOf } from "./run-migrations.ts";

const recorded = JSON.parse(readFileSync(new URL("./checksums.json", import.meta.url), "utf8")) as Record<
  string,
  Record<string, string>
>;

describe("migrations", () => {
  it("are numbered 1, 2, 3 … without gaps", () => {
    expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  it("are never edited: a released one reads as it did, and every one is recorded in checksums.json", () => {
    const actual = Object.fromEntries(
      MIGRATIONS.map((migration) => [
        `${migration.number}`,
        { sqlite: checksumOf(migration, "sqlite"), postgres: checksumOf(migration, "postgres") },
      ]),
    );
    expect(actual).toEqual(recorded);
  });

  it("are told apart by their text: a store with another form of one is refused", () => {
    const [first] = MIGRATIONS;
    const applied = [{ number: 1, name: first?.name ?? "", checksum: "another" }];
    expect(() => checkHistory(applied, "sqlite")).toThrow(expect.objectContaining({ code: "store-migration-changed" }));
  });

  it("splits scripts at the ends of statements only", () => {
    expect(statements("create table a (b text default ';');\n\ninsert into a values ('x; y');\n")).toEqual([
      "create table a (b text default ';')",
      "insert into a values ('x; y')",
    ]);
  });
});
