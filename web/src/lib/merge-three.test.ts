import { expect, it } from "vitest";
import { flatten, mergeThree } from "./merge-three.ts";

const base = { workers: 2, version: "v1", labels: { a: "1", "x/y": "z" } };

it("takes over what only others changed", () => {
  expect(mergeThree(base, { ...base, version: "v2" }, { ...base, workers: 5 })).toEqual([
    { path: "version", base: "v1", theirs: "v2", mine: "v1", isConflict: false },
  ]);
});

it("names what both changed, unless to the same", () => {
  const conflict = mergeThree(base, { ...base, workers: 3 }, { ...base, workers: 5 });
  expect(conflict).toMatchObject([{ path: "workers", isConflict: true }]);
  expect(mergeThree(base, { ...base, workers: 3 }, { ...base, workers: 3 })).toEqual([]);
});

it("sees fields that others added or removed", () => {
  expect(mergeThree(base, { ...base, ttl: "8h" }, base)).toMatchObject([{ path: "ttl", theirs: "8h" }]);
  expect(mergeThree(base, { workers: 2, labels: base.labels }, base)).toMatchObject([
    { path: "version", theirs: undefined, isConflict: false },
  ]);
});

it("writes keys that are no plain words in brackets", () => {
  expect([...flatten(base).keys()]).toEqual(["workers", "version", "labels.a", 'labels["x/y"]']);
});
