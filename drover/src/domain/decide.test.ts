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
const resting: RestingCluster = {
  desiredState: "present",
  firstJob: "create",
  generation: 2,
  observedGeneration: 2,
  lastJob: { kind: "update", state: "Succeeded", generation: 2 },
  paused: false,
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

  it("deletes what is declared absent, paused or not, and what has outlived its time", () => {
    expect(startOf({ desiredState: "absent", paused: true })).toBe("delete");
    expect(startOf({ expiresAt: 1_000 })).toBe("delete");
    expect(startOf({ expiresAt: 1_001 })).toBeNull();
  });

  it("waits for somebody when the last job gave up, until the spec changes", () => {
    for (const state of ["Failed", "Canceled"] as const) {
      const lastJob = { kind: "create", state, generation: 2 } as const;
      expect(startOf({ observedGeneration: 0, lastJob }, gone)).toBeNull();
      expect(startOf({ observedGeneration: 0, lastJob, generation: 3 }, gone)).toBe("create");
      expect(startOf({ desiredState: "absent", lastJob: { ...lastJob, kind: "delete" } })).toBeNull();
    }
  });

  it("starts nothing but a delete on what could not be seen or is paused", () => {
    const cluster = fc.record({
      desiredState: fc.constant("present" as const),
      firstJob: fc.constantFrom("create" as const, "import" as const),
      generation: fc.integer({ min: 1, max: 5 }),
      observedGeneration: fc.integer({ min: 0, max: 5 }),
      lastJob: fc.constantFrom(null, { kind: "update" as const, state: "Succeeded" as const, generation: 1 }),
      paused: fc.boolean(),
      selfHeal: fc.constantFrom("repair" as const, "report" as const),
      expiresAt: fc.constant(null),
    });
    fc.assert(
      fc.property(cluster, fc.constantFrom(healthy, gone, unseen("Docker does not answer.")), (random, sighting) => {
        const decision = decide(random, sighting, 0);
        if (random.paused || sighting.presence === "unknown") expect(decision.action).toBe("nothing");
        expect(decision.why).not.toBe("");
      }),
    );
  });
});
