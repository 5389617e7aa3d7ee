import { expect, it } from "vitest";
import { readWorkTimes, TIME_BOUNDS, WorkTimes } from "./work-times.ts";

it("adds up by kind and outcome", () => {
  const times = new WorkTimes();
  times.note("create", "done", 50);
  times.note("create", "done", 2_000);
  times.note("create", "failed", 4_000_000);
  expect(times.list()).toEqual([
    { kind: "create", outcome: "done", count: 2, seconds: 2.05, within: [1, 1, 1, 2, 2, 2, 2, 2] },
    { kind: "create", outcome: "failed", count: 1, seconds: 4_000, within: TIME_BOUNDS.map(() => 0) },
  ]);
  expect(readWorkTimes(JSON.parse(JSON.stringify(times.list())))).toEqual(times.list());
});

it("leaves out what a worker of another version has written", () => {
  const [good] = [{ kind: "look", outcome: "done", count: 1, seconds: 1, within: TIME_BOUNDS.map(() => 1) }];
  const bad = [
    { ...good, within: [1] },
    { ...good, count: "1" },
    { ...good, kind: 7 },
    { ...good, within: 3 },
    null,
    4,
  ];
  expect(readWorkTimes([...bad, good])).toEqual([good]);
  expect(readWorkTimes(undefined)).toEqual([]);
});
