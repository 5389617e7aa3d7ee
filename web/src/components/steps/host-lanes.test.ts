import { expect, it } from "vitest";
import type { Step } from "../../api/objects.ts";
import { hasHosts, listLanes } from "./host-lanes.ts";

const step = (host: string, id: string, state: Step["state"], more: Partial<Step> = {}): Step => ({
  ...{ id: `m/t/${id}/${host}`, title: id, host, state, after: [], attempt: 1 },
  ...{ startedTime: null, finishedTime: null, error: null, ...more },
});
const at = (second: number) => new Date(second * 1000).toISOString();
const lost = { code: "machine-unreachable", message: "no answer" };

it("gathers the steps of each host, with what it is at and since when", () => {
  const lanes = listLanes([
    step("a", "claim", "Succeeded", { startedTime: at(1), finishedTime: at(4) }),
    step("b", "claim", "Skipped", { startedTime: at(2), finishedTime: at(3) }),
    step("a", "join", "Running", { startedTime: at(5) }),
    step("b", "join", "Pending"),
  ]);
  expect(lanes).toMatchObject([
    { host: "a", state: "Running", done: 1, current: { title: "join" }, startedTime: at(1), finishedTime: null },
    { host: "b", state: "Waiting", done: 1, current: { title: "join" }, startedTime: at(2), finishedTime: at(3) },
  ]);
});

it("tells one that cannot be reached from one that failed, also between two attempts", () => {
  const states = listLanes([
    step("a", "join", "Failed", { error: lost }),
    step("b", "join", "Pending", { error: lost }),
    step("c", "join", "Failed", { error: { code: "step-failed", message: "no room" } }),
    step("c", "label", "Blocked"),
    step("d", "join", "Succeeded", { error: lost }),
    step("e", "join", "Canceled"),
  ]).map(({ state }) => state);
  expect(states).toEqual(["Unreachable", "Unreachable", "Failed", "Done", "Canceled"]);
});

it("is worth a look only where there are hosts", () => {
  expect(hasHosts([step("local", "a", "Pending")])).toBe(false);
  expect(hasHosts([step("local", "a", "Pending"), step("m1", "b", "Pending")])).toBe(true);
});
