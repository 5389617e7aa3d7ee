import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../lib/sha256.ts";
import type { Plan, PlanStep } from "./plan.ts";
import { DEFAULT_RETRY, planHash } from "./plan.ts";

const step = (id: string, rest: Partial<PlanStep> = {}): PlanStep => ({
  id,
  name: "install-etcd",
  title: "Install etcd",
  host: "local",
  module: "etcd",
  task: "install",
  needs: [],
  deadlineMs: 60_000,
  retry: DEFAULT_RETRY,
  input: {},
  changes: [],
  ...rest,
});
const plan = (...steps: PlanStep[]): Plan => ({
  pipeline: "create-cluster",
  specHash: "0".repeat(64),
  change: "in-place",
  steps,
});
const hash = (some: Plan): string => planHash(some, sha256);

describe("planHash", () => {
  const base = plan(step("a"), step("b", { needs: ["a"] }), step("c", { needs: ["a", "b"] }));

  it("is the same however the steps and their needs are listed, and survives being stored", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(base.steps as PlanStep[], { minLength: 3 }), (steps) => {
        const listed = steps.map((one) => ({ ...one, needs: [...one.needs].reverse() }));
        expect(hash({ ...base, steps: listed })).toBe(hash(base));
        expect(hash(JSON.parse(JSON.stringify({ ...base, steps: listed })))).toBe(hash(base));
      }),
    );
  });

  it("does not depend on what is only said to people", () => {
    expect(hash(plan(step("a", { title: "Put etcd there", changes: ["writes a file"] })))).toBe(hash(plan(step("a"))));
  });

  it.each<[string, Plan]>([
    ["another step", plan(...base.steps, step("d"))],
    ["one step less", plan(...base.steps.slice(0, 2))],
    ["another host", plan(step("a", { host: "node-1" }), ...base.steps.slice(1))],
    ["another need", plan(step("a"), step("b"), step("c", { needs: ["a", "b"] }))],
    ["another input", plan(step("a", { input: { version: "3.5" } }), ...base.steps.slice(1))],
    ["another deadline", plan(step("a", { deadlineMs: 1 }), ...base.steps.slice(1))],
    ["another retry policy", plan(step("a", { retry: { ...DEFAULT_RETRY, attempts: 1 } }), ...base.steps.slice(1))],
    ["another spec", { ...base, specHash: "1".repeat(64) }],
    ["another reach", { ...base, change: "recreate" }],
    ["another pipeline", { ...base, pipeline: "repair-cluster" }],
  ])("changes with %s", (_, other) => {
    expect(hash(other)).not.toBe(hash(base));
  });
});
