import { describe, expect, it } from "vitest";
import { REBOOT_MS, SimulatedBench, simulatedCluster, simulatedSpec } from "../../test/simulated-bench.ts";
import type { PlanStep } from "../domain/plan.ts";

const cluster = simulatedCluster("dev", simulatedSpec({ workers: 1 }));

async function checkOf(bench: SimulatedBench): Promise<PlanStep> {
  const { plan } = await bench.plan(cluster, "repair");
  return plan.steps.at(-1) as PlanStep;
}

describe("the check that the cluster answers", () => {
  it("waits until a cluster that starts up again is there", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(cluster, "create");
    const step = await checkOf(bench);
    bench.disturb(cluster, { disturbance: "reboot" });
    const start = bench.time.now();
    const [outcome] = await bench.runSteps(cluster, [step], bench.newJob("repair"));
    expect(outcome?.state).toBe("Succeeded");
    expect(bench.time.now() - start).toBeGreaterThanOrEqual(REBOOT_MS);
    expect(bench.time.now() - start).toBeLessThan(2 * REBOOT_MS);
  });

  it("waits through looks that see nothing", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(cluster, "create");
    const step = await checkOf(bench);
    const faults = [{ operation: "observe", effect: "unreachable", times: 4 } as const];
    const dark = simulatedCluster("dev", simulatedSpec({ workers: 1, faults }));
    const [outcome] = await bench.runSteps(dark, [step], bench.newJob("repair"));
    expect(outcome?.state).toBe("Succeeded");
  });

  it("does not wait for what is gone", async () => {
    const bench = new SimulatedBench();
    const checking = bench.runSteps(cluster, [await checkOf(bench)], bench.newJob("repair"));
    await expect(checking).rejects.toThrow("The cluster dev is not there");
  });

  it("leaves to repair what does not answer because it is not as declared", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(cluster, "create");
    const step = await checkOf(bench);
    bench.disturb(cluster, { disturbance: "node-lost", node: "simulated-dev-control-plane-1" });
    const start = bench.time.now();
    const [outcome] = await bench.runSteps(cluster, [step], bench.newJob("repair"));
    expect([outcome?.state, bench.time.now()]).toEqual(["Succeeded", start]);
  });

  it("ends at its deadline when a cluster stays in pieces", async () => {
    const bench = new SimulatedBench();
    const { plan } = await bench.plan(cluster, "create");
    await bench.runSteps(cluster, plan.steps.slice(0, 2), bench.newJob("create"));
    const checking = bench.runSteps(cluster, plan.steps.slice(-1), bench.newJob("create"));
    await expect(checking).rejects.toMatchObject({ code: "step-timed-out" });
  });
});
