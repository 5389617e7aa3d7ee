import { describe, expect, it } from "vitest";
import { type Fault, SimulatedBench, simulatedCluster, simulatedSpec } from "../../test/simulated-bench.ts";
import { StepBench } from "../../test/step-bench.ts";
import type { PlanStep } from "../domain/plan.ts";
import { registerSteps } from "./index.ts";

const cluster = simulatedCluster("dev", simulatedSpec({ workers: 1 }));

async function proofOf(bench: SimulatedBench, target = cluster): Promise<PlanStep> {
  const { plan } = await bench.plan(target, "delete");
  return plan.steps.at(-1) as PlanStep;
}

describe("the proof that everything is gone", () => {
  it("says what was looked for, where, when, and that it was seen gone", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(cluster, "create");
    const outcomes = await bench.runJob(cluster, "delete");
    const times = { madeAt: expect.stringMatching(/^1970-01-01T/), goneAt: expect.stringMatching(/^1970-01-01T/) };
    expect(outcomes.at(-1)?.result).toEqual({
      clusterId: cluster.id,
      clusterName: "dev",
      provider: "simulated",
      worker: "w1",
      lookedAt: new Date(bench.time.now()).toISOString(),
      seen: "Simulated: there is nothing of this cluster.",
      objects: [
        { system: "simulated", kind: "cluster", ref: "dev", ...times },
        { system: "simulated", kind: "node", ref: "dev/simulated-dev-control-plane-1", ...times },
        { system: "simulated", kind: "node", ref: "dev/simulated-dev-worker-1", ...times },
      ],
    });
  });

  it("is given for a cluster of which nothing was ever made", async () => {
    const outcomes = await new SimulatedBench().runJob(cluster, "delete");
    expect(outcomes.at(-1)?.result).toMatchObject({ clusterName: "dev", objects: [] });
  });

  it("covers what was only intended when a job died", async () => {
    const bench = new SimulatedBench();
    bench.steps.ledger.intend(cluster.id, { system: "simulated", kind: "node", ref: "dev/simulated-dev-worker-1" });
    await bench.runJob(cluster, "delete");
    expect(bench.steps.ledger.rows.map(({ state }) => state)).toEqual(["gone"]);
  });

  it("is refused while something is there, and names it", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(cluster, "create");
    const proof = bench.runSteps(cluster, [await proofOf(bench)], bench.newJob("delete"));
    await expect(proof).rejects.toMatchObject({
      code: "objects-remain",
      message: expect.stringContaining("simulated-dev-worker-1"),
    });
    expect(bench.steps.ledger.rows.map(({ state }) => state)).toEqual(["present", "present", "present"]);
  });

  it("is refused while nobody can look", async () => {
    const bench = new SimulatedBench();
    const faults: Fault[] = [{ operation: "observe", effect: "unreachable", after: 1 }];
    const dark = simulatedCluster("dev", simulatedSpec({ faults }));
    const proof = await proofOf(bench, dark);
    const proving = bench.runSteps(dark, [proof], bench.newJob("delete"));
    await expect(proving).rejects.toMatchObject({ code: "cluster-unseen" });
  });

  it("is refused while another system still holds something, and names that", async () => {
    const bench = new SimulatedBench();
    bench.steps.ledger.intend(cluster.id, { system: "git", kind: "branch", ref: "refs/heads/dev" });
    await expect(bench.runJob(cluster, "delete")).rejects.toMatchObject({
      code: "objects-remain",
      message: "Of dev there is still: git branch refs/heads/dev.",
    });
  });

  it("leaves out a cluster that others made, but not what we made in it", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(cluster, "create");
    const others = {
      ...bench.provider,
      steps: [],
      capabilities: { ...bench.provider.capabilities, createsClusters: false },
    };
    const providers = new Map([[others.id, others]]);
    const registry = registerSteps({ providers, clock: bench.time, timer: bench.time });
    const steps = new StepBench(registry, bench.steps.ledger, bench.time);
    const prove = async () => bench.time.run(steps.runSteps(cluster, [await proofOf(bench)], bench.newJob("delete")));
    await expect(prove()).rejects.toMatchObject({ code: "objects-remain" });
    for (const { id } of bench.steps.ledger.rows) bench.steps.ledger.set(id, "gone");
    expect((await prove())[0]?.result).toMatchObject({ seen: "The cluster itself was made by others, and stays." });
  });

  it("is refused when the cloud says that it removed what it did not", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(cluster, "create");
    const faults: Fault[] = [{ operation: "delete", effect: "nothing-yet-succeeds" }];
    const lying = simulatedCluster("dev", simulatedSpec({ workers: 1, faults }));
    await expect(bench.runJob(lying, "delete")).rejects.toMatchObject({ code: "step-not-verified" });
    expect(bench.steps.ledger.rows.map(({ state }) => state)).toEqual(["present", "present", "present"]);
  });
});
