import { expect, it } from "vitest";
import { parseStat, readProcessTable } from "./process-table.ts";

it("reads an entry whose name tries to look like something else", () => {
  const entry = { pid: 42, group: 7, session: 5, alive: true };
  expect(parseStat("42 (sh) S 1 7 5 0 -1 4194560")).toEqual(entry);
  expect(parseStat("42 (a) Z 9 (b) c) R 1 7 5 0 -1")).toEqual(entry);
  expect(parseStat("42 (sh) Z 1 7 5 0 -1")).toEqual({ ...entry, alive: false });
  expect(parseStat("")).toBeNull();
});

it("finds this process alive, and reads the table once for all who ask at once", async () => {
  const [first, second] = [readProcessTable(), readProcessTable()];
  expect(first).toBe(second);
  expect(await first).toContainEqual(expect.objectContaining({ pid: process.pid, alive: true }));
  expect(readProcessTable()).not.toBe(first);
});
