import type { Condition } from "@drover/contract";
import { CONDITION_STATUSES, CONDITION_TYPES } from "@drover/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NewCondition } from "./conditions.ts";
import { dropCondition, factOf, setCondition, setConditions, statusOf, summariseAvailable } from "./conditions.ts";

const condition = (
  type: NewCondition["type"],
  status: NewCondition["status"],
  rest: Partial<NewCondition> = {},
): NewCondition => ({ type, status, reason: `${type}${status}`, message: "", observedGeneration: 1, ...rest });

const newConditions: fc.Arbitrary<NewCondition> = fc.record({
  type: fc.constantFrom(...CONDITION_TYPES),
  status: fc.constantFrom(...CONDITION_STATUSES),
  reason: fc.constantFrom("A", "B"),
  message: fc.constantFrom("", "text"),
  observedGeneration: fc.nat(3),
});

const at = (...list: NewCondition[]): readonly Condition[] => setConditions([], list, "t0");

describe("setCondition", () => {
  it("moves the time of the last transition only with the status", () => {
    const first = setCondition([], condition("Reachable", "True"), "t1");
    const second = setCondition(first, condition("Reachable", "True", { message: "still there" }), "t2");
    const third = setCondition(second, condition("Reachable", "False"), "t3");
    expect(first[0]?.lastTransitionTime).toBe("t1");
    expect(second[0]).toMatchObject({ message: "still there", lastTransitionTime: "t1" });
    expect(third[0]).toMatchObject({ status: "False", lastTransitionTime: "t3" });
  });

  it("answers the same list when nothing is new", () => {
    const list = at(condition("Reachable", "True"));
    expect(setCondition(list, condition("Reachable", "True"), "t9")).toBe(list);
    expect(setCondition(list, condition("Reachable", "True", { observedGeneration: 2 }), "t9")).not.toBe(list);
  });

  it("keeps one condition per type, in the order of the contract, whatever is set", () => {
    fc.assert(
      fc.property(fc.array(newConditions), (changes) => {
        const list = changes.reduce<readonly Condition[]>(
          (sofar, change, index) => setCondition(sofar, change, `t${index}`),
          [],
        );
        const types = list.map(({ type }) => type);
        expect(types).toEqual(CONDITION_TYPES.filter((type) => changes.some((change) => change.type === type)));
        for (const one of list) {
          const mine = changes
            .map((change, index) => ({ change, index }))
            .filter(({ change }) => change.type === one.type);
          const { lastTransitionTime, ...rest } = one;
          expect(rest).toEqual(mine.at(-1)?.change);
          const since = mine.findLastIndex(({ change }) => change.status !== one.status) + 1;
          expect(lastTransitionTime).toBe(`t${mine[since]?.index}`);
        }
      }),
    );
  });
});

describe("reading conditions", () => {
  it("takes a missing one for unknown, and drops what no longer applies", () => {
    const list = at(condition("Reachable", "False"), condition("Drifted", "True"));
    expect(statusOf(list, "NodesReady")).toBe("Unknown");
    expect([factOf(list, "Reachable"), factOf(list, "Drifted"), factOf(list, "NodesReady")]).toEqual([
      false,
      true,
      null,
    ]);
    expect(dropCondition(list, "Drifted").map(({ type }) => type)).toEqual(["Reachable"]);
    expect(dropCondition(list, "NodesReady")).toBe(list);
  });
});

describe("summariseAvailable", () => {
  const good = [condition("Provisioned", "True"), condition("Reachable", "True"), condition("Deleting", "False")];

  it("is True when all that applies is good", () => {
    expect(summariseAvailable(at(...good), 7)).toEqual(
      condition("Available", "True", { reason: "AsDeclared", observedGeneration: 7 }),
    );
  });

  it("names the first culprit and tells of all", () => {
    const list = at(...good, condition("RouteReady", "False"), condition("NodesReady", "False", { message: "1 of 3" }));
    expect(summariseAvailable(list, 1)).toMatchObject({
      status: "False",
      reason: "NodesReadyFalse",
      message: "NodesReady: 1 of 3; RouteReady: RouteReadyFalse",
    });
  });

  it("counts Deleting against it, but not drift, stalled retries or an outdated generation", () => {
    expect(summariseAvailable(at(...good, condition("Deleting", "True")), 1).status).toBe("False");
    const beside = [condition("Drifted", "True"), condition("Stalled", "True"), condition("UpToDate", "False")];
    expect(summariseAvailable(at(...good, ...beside), 1).status).toBe("True");
  });

  it("is Unknown when something is not known and nothing is bad", () => {
    expect(summariseAvailable(at(...good, condition("NodesReady", "Unknown")), 1)).toMatchObject({
      status: "Unknown",
      reason: "NodesReadyUnknown",
    });
    expect(summariseAvailable([], 1)).toMatchObject({ status: "Unknown", reason: "NotObserved" });
    const both = at(condition("Reachable", "Unknown"), condition("NodesReady", "False"));
    expect(summariseAvailable(both, 1).status).toBe("False");
  });

  it("does not depend on an earlier summary", () => {
    fc.assert(
      fc.property(fc.array(newConditions), (list) => {
        const conditions = at(...list);
        const summary = summariseAvailable(conditions, 1);
        expect(summariseAvailable(setCondition(conditions, summary, "t1"), 1)).toEqual(summary);
      }),
    );
  });
});
