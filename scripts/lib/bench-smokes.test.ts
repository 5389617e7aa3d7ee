import { expect, test } from "vitest";
import { describeSmoke, judgeSmoke, listBenchmarks, pickBenchmarks, readSmokes } from "./bench-smokes.mjs";
import { inRoot } from "./paths.mjs";

const ALL = ["b1", "b2", "docker"];
const SMOKES = { longest: ["docker"], needs: { docker: ["DROVER_E2E_KUBERNETES"] } };
const WELL = { code: 0, stdout: "smoke: clusters 2\nratio-304=7\nratio=1.25\n", isTooLong: false, leftovers: [] };

test("every program of bench/ is a benchmark, and smokes.json names no other", () => {
  const all = listBenchmarks(inRoot("bench"));
  expect(all).toContain("b9-http");
  expect(pickBenchmarks(all, readSmokes(inRoot("bench")), [])).toHaveLength(all.length);
});

test("takes all of them, the longest first, each with what it needs", () => {
  expect(pickBenchmarks(ALL, SMOKES, [])).toEqual([
    { name: "docker", needs: ["DROVER_E2E_KUBERNETES"] },
    { name: "b1", needs: [] },
    { name: "b2", needs: [] },
  ]);
});

test("takes those that are named, by name or by file", () => {
  expect(pickBenchmarks(ALL, SMOKES, ["b2", "b1.mjs"]).map(({ name }) => name)).toEqual(["b1", "b2"]);
});

test.each([["b11"], ["--full"]])("refuses %s, which is no benchmark", (name) => {
  expect(() => pickBenchmarks(ALL, SMOKES, [name])).toThrow("Must be one of: b1, b2, docker.");
});

test("refuses a table that names a benchmark of the past", () => {
  expect(() => pickBenchmarks(["b1"], SMOKES, [])).toThrow('names "docker", which is no benchmark');
});

test("passes a program that took the smoke sizes and closed with a ratio", () => {
  expect(judgeSmoke(WELL)).toEqual({ ratio: 1.25 });
});

test.each([
  ["failed", { code: 1 }, "exit code 1"],
  ["hung", { isTooLong: true, code: 143 }, "took too long"],
  ["overlooked --smoke", { stdout: "ratio=1\n" }, "smoke sizes"],
  ["said nothing", { stdout: "" }, "smoke sizes"],
  ["has no ratio", { stdout: "smoke: \nratio-304=7\n" }, '"ratio-304=7"'],
  ["has a ratio that is no number", { stdout: "smoke: \nratio=NaN\n" }, '"ratio=NaN"'],
  ["has an endless ratio", { stdout: "smoke: \nratio=Infinity\n" }, '"ratio=Infinity"'],
  ["goes on after its ratio", { stdout: "smoke: \nratio=1\nand more\n" }, '"and more"'],
  ["left a folder behind", { leftovers: ["drover-bench-ssh-1"] }, "left behind drover-bench-ssh-1"],
])("fails a program that %s", (_, ended, problem) => {
  expect(judgeSmoke({ ...WELL, ...ended }).problem).toContain(problem);
});

test("tells name, seconds and ratio on one line", () => {
  expect(describeSmoke({ name: "b1", seconds: 2.345, verdict: { ratio: 481 } })).toMatch(
    /^ok +b1 +2\.3 s {2}ratio 481$/,
  );
  expect(describeSmoke({ name: "b1", seconds: 2, verdict: { problem: "broke" } })).toMatch(
    /^FAILED +b1 +2\.0 s {2}broke$/,
  );
});
