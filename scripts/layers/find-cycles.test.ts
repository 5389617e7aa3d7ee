import { expect, test } from "vitest";
import { findCycles } from "./find-cycles.ts";

const cyclesOf = (graph: Record<string, string[]>) => findCycles(new Map(Object.entries(graph)));

test("finds nothing where imports only go down, also when they meet again", () => {
  expect(cyclesOf({ a: ["b", "c"], b: ["d"], c: ["d"], d: [] })).toEqual([]);
});

test("finds a file that imports itself", () => {
  expect(cyclesOf({ a: ["a"] })).toEqual([["a", "a"]]);
});

test("names the shortest way around, from its first file on", () => {
  expect(cyclesOf({ c: ["a"], a: ["b"], b: ["c", "x"], x: [] })).toEqual([["a", "b", "c", "a"]]);
  expect(cyclesOf({ a: ["b", "c"], b: ["c"], c: ["a"] })).toEqual([["a", "c", "a"]]);
});

test("finds each of several knots once", () => {
  expect(cyclesOf({ p: ["q"], q: ["p", "a"], a: ["b"], b: ["a"] })).toEqual([
    ["a", "b", "a"],
    ["p", "q", "p"],
  ]);
});

test("stands a chain of ten thousand files", () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `f${i}`);
  const chain = Object.fromEntries(names.map((name, i) => [name, [names[i + 1] ?? "end"]]));
  expect(cyclesOf(chain)).toEqual([]);
});
