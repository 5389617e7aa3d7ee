import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, type RestingCluster } from "./decide.ts";
import { type Sighting, unseen } from "./sighting.ts";

const healthy: Sighting = {
  ...unseen("Running."),
  presence: "present",
  complete: true,
  reachable: true,
  nodesReady: 3,
  nodesTotal: 3,
};
const gone: Sighting = { ...unseen("Nothing was found."), presence: "absent" };
const stopped: Sighting = { ...healthy, reachable: false, nodesReady: 0, stopped: true };
const resting: RestingCluster = {
  desiredState: "present",
  firstJob: "create",
  generation: 2,
  observedGeneration: 2,
  lastJob: { kind: "update", state: "Succeeded", generation: 2, presence: "present" },
  paused: false,
  hibernated: false,
  asleep: false,
  selfHeal: "repair",
  expiresAt: null,
};
const startOf = (change: Partial<RestingCluster>, sighting: Sighting = healthy) => {
  const decision = decide({ ...resting, ...change }, sighting, 1_000);
  return decision.action === "start" ? decision.kind : null;
};

describe("what to do with a cluster at rest", () => {
  it("leaves alone what is as declared", () => {
    expect(startOf({})).toBeNull();
  });

  it("creates what was declared and never brought about", () => {
    expect(startOf({ observedGeneration: 0, generation: 1, lastJob: null }, gone)).toBe("create");
    expect(startOf({ observedGeneration: 0, generation: 1, lastJob: null, firstJob: "import" })).toBe("import");
  });

  it("updates what was declared anew", () => {
    expect(startOf({ generation: 3 })).toBe("update");
  });

  it("repairs what vanished, is incomplete or drifted, only where its owner wants that", () => {
    const drifted = { ...healthy, drift: [{ path: "workers", desired: "3", actual: "2" }] };
    for (const sighting of [gone, { ...healthy, complete: false }, drifted]) {
      expect(startOf({}, sighting)).toBe("repair");
      expect(startOf({ selfHeal: "report" }, sighting)).toBeNull();
    }
  });

  it("does not take unreachable for broken", () => {
    expect(startOf({}, { ...healthy, reachable: false, nodesReady: 0 })).toBeNull();
  });

  it("stops what is to sleep, leaves it alone while it does, and starts it again", () => {
    expect(startOf({ hibernated: true })).toBe("hibernate");
    const drifted = { ...stopped, drift: [{ path: "workers", desired: "3", actual: "2" }] };
    for (const sighting of [stopped, drifted, { ...stopped, complete: false }]) {
      expect(startOf({ hibernated: true }, sighting)).toBeNull();
      expect(startOf({ hibernated: true, generation: 3 }, sighting)).toBeNull();
    }
    expect(startOf({ asleep: true }, stopped)).toBe("wake");
    expect(startOf({ asleep: true, selfHeal: "report" }, stopped)).toBe("wake");
  });

  it("repairs first what is to sleep and is not whole, and brings changes about while it is awake", () => {
    expect(startOf({ hibernated: true }, gone)).toBe("repair");
    expect(startOf({ hibernated: true }, { ...healthy, complete: false })).toBe("repair");
    expect(startOf({ hibernated: true, generation: 3 })).toBe("update");
  });

  it("repairs what was stopped without anybody wanting it", () => {
    expect(startOf({}, stopped)).toBe("repair");
    expect(startOf({ selfHeal: "report" }, stopped)).toBeNull();
  });

  it("takes a change of mind for a new wish when stopping or starting gave up", () => {
    const failed = (kind: "hibernate" | "wake") =>
      ({ kind, state: "Failed", generation: 2, presence: "present" }) as const;
    expect(startOf({ hibernated: true, lastJob: failed("hibernate") })).toBeNull();
    expect(startOf({ hibernated: true, lastJob: failed("wake") })).toBe("hibernate");
    expect(startOf({ asleep: true, lastJob: failed("wake") }, stopped)).toBeNull();
    expect(startOf({ asleep: true, lastJob: failed("hibernate") }, stopped)).toBe("wake");
  });

  it("deletes what is declared absent, paused or not, and what has outlived its time", () => {
    expect(startOf({ desiredState: "absent", paused: true })).toBe("delete");
    expect(startOf({ expiresAt: 1_000 })).toBe("delete");
    expect(startOf({ expiresAt: 1_001 })).toBeNull();
  });

  it("waits for somebody when the last job gave up, until the spec changes", () => {
    for (const state of ["Failed", "Canceled"] as const) {
      const lastJob = { kind: "create", state, generation: 2, presence: "present" } as const;
      expect(startOf({ observedGeneration: 0, lastJob }, gone)).toBeNull();
      expect(startOf({ observedGeneration: 0, lastJob, generation: 3 }, gone)).toBe("create");
      expect(startOf({ desiredState: "absent", lastJob: { ...lastJob, kind: "delete" } })).toBeNull();
    }
  });

  it("makes anew what is gone since a job failed on it, unless somebody cancelled that or it failed on what was gone", () => {
    const failed = { kind: "repair", state: "Failed", generation: 2, presence: "present" } as const;
    expect(startOf({ lastJob: failed }, gone)).toBe("repair");
    expect(startOf({ lastJob: { ...failed, kind: "update" }, generation: 2, observedGeneration: 1 }, gone)).toBe(
      "update",
    );
    expect(startOf({ lastJob: failed, selfHeal: "report" }, gone)).toBeNull();
    expect(startOf({ lastJob: failed }, { ...healthy, complete: false })).toBeNull();
    expect(startOf({ lastJob: failed }, unseen("Docker does not answer."))).toBeNull();
    expect(startOf({ lastJob: { ...failed, state: "Canceled" } }, gone)).toBeNull();
    for (const presence of ["absent", "unknown", null] as const)
      expect(startOf({ lastJob: { ...failed, presence } }, gone)).toBeNull();
  });

  it("starts nothing but a delete on what could not be seen or is paused", () => {
    const cluster = fc.record({
      desiredState: fc.constant("present" as const),
      firstJob: fc.constantFrom("create" as const, "import" as const),
      generation: fc.integer({ min: 1, max: 5 }),
      observedGeneration: fc.integer({ min: 0, max: 5 }),
      lastJob: fc.option(
        fc.record({
          kind: fc.constantFrom("update" as const, "repair" as const),
          state: fc.constantFrom("Succeeded" as const, "Failed" as const),
          generation: fc.constant(1),
          presence: fc.constantFrom("present" as const, "absent" as const, null),
        }),
      ),
      paused: fc.boolean(),
      hibernated: fc.boolean(),
      asleep: fc.boolean(),
      selfHeal: fc.constantFrom("repair" as const, "report" as const),
      expiresAt: fc.constant(null),
    });
    fc.assert(
      fc.property(
        cluster,
        fc.constantFrom(healthy, stopped, gone, unseen("Docker does not answer.")),
        (random, sighting) => {
          const decision = decide(random, sighting, 0);
          if (random.paused || sighting.presence === "unknown") expect(decision.action).toBe("nothing");
          expect(decision.why).not.toBe("");
        },
      ),
    );
  });
});
