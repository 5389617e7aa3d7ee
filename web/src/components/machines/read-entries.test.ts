import { expect, it } from "vitest";
import { readEntries } from "./read-entries.ts";

it("reads one machine, a range and a list", () => {
  expect(readEntries("web-1", " 10.0.0.1 ")).toEqual({ ok: true, entries: [{ name: "web-1", address: "10.0.0.1" }] });
  const three = readEntries("web-[1-2]\ndb", "10.0.0.[1-2], db.example");
  expect(three.ok && three.entries.map(({ name, address }) => `${name}@${address}`)).toEqual([
    "web-1@10.0.0.1",
    "web-2@10.0.0.2",
    "db@db.example",
  ]);
});

it("says what does not fit together", () => {
  expect(readEntries("web-[1-3]", "10.0.0.1")).toEqual({ ok: false, problem: "counts", names: 3, addresses: 1 });
  expect(readEntries("web-[3-1]", "10.0.0.1")).toEqual({ ok: false, problem: "range", word: "web-[3-1]" });
  expect(readEntries("", "")).toEqual({ ok: true, entries: [] });
});
