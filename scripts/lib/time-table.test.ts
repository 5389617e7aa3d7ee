import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { formatTimes, passOnTimes } from "./time-table.mjs";

const TIMES = [
  { file: "drover/src/store/a.test.ts", loading: 500, running: 1_000 },
  { file: "drover/src/store/sqlite/b.test.ts", loading: 0, running: 4_000 },
  { file: "e2e/ssh/life.test.ts", loading: 1_000, running: 60_000 },
  { file: "web/src/pages/x.test.tsx", loading: 10, running: 20 },
];

test("sums up suites and names files, the slowest first", () => {
  expect(formatTimes(TIMES, { wallMs: 65_000 }).split("\n")).toEqual([
    "Where the time went: 66.5 s of files in 65.0 s, 1.5 s of it loading",
    "    61.0 s  e2e/ssh  1 files (loading 1.0)",
    "     5.5 s  drover/src/store  2 files (loading 0.5)",
    "     0.0 s  web/src  1 files",
    "by file:",
    "    61.0 s  e2e/ssh/life.test.ts  (loading 1.0)",
    "     4.0 s  drover/src/store/sqlite/b.test.ts",
    "     1.5 s  drover/src/store/a.test.ts  (loading 0.5)",
    "     0.0 s  web/src/pages/x.test.tsx",
    "",
  ]);
});

test("sums up the files that a table has no room for", () => {
  expect(formatTimes(TIMES, { mostFiles: 1 })).toContain("     5.5 s  3 others  (loading 0.5)");
});

test("tells the stages of a larger run apart", () => {
  const table = formatTimes([
    { file: "e2e/a.test.ts", loading: 0, running: 1_000, stage: "one" },
    { file: "e2e/a.test.ts", loading: 0, running: 2_000, stage: "two" },
  ]);
  expect(table).toContain("2.0 s  two: e2e/a.test.ts");
  expect(table).toContain("1.0 s  one: e2e  1 files");
});

test("hands times on to the program that asked for them, and to no other", () => {
  const folder = mkdtempSync(join(tmpdir(), "drover-times-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const target = join(folder, "times");
  passOnTimes(TIMES.slice(0, 1), { DROVER_TIMES_FILE: target });
  passOnTimes(TIMES.slice(1, 2), { DROVER_TIMES_FILE: target });
  passOnTimes(TIMES, {});
  const lines = readFileSync(target, "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(TIMES.slice(0, 2));
});
