import { describe, expect, it, onTestFinished } from "vitest";
import { openTestApp } from "../app.ts";
import { simulatedSpec } from "../simulated-bench.ts";
import { openWorld } from "./open-world.ts";

const actor = { type: "user", name: "ada" } as const;
const BROKEN = simulatedSpec({ faults: [{ operation: "create", effect: "fail" }] });

describe("the loop", () => {
  it("does not end at its first failure, and does not say that all went well", async () => {
    const { store, settle, dispose } = await openTestApp();
    onTestFinished(dispose);
    const jobKind = "create";
    await store.desired.declareCluster({ name: "aaa-broken", spec: BROKEN, jobKind, actor });
    await store.desired.declareCluster({ name: "bbb-sound", spec: simulatedSpec(), jobKind, actor });
    const pass = await settle();
    expect((await store.read.findCluster("bbb-sound"))?.phase).toBe("Running");
    expect(new Set(pass.failed)).toEqual(new Set(["aaa-broken"]));
  });

  it("backs off from what fails, and stops after a few attempts until somebody retries", async () => {
    const world = await openWorld();
    world.startWorker();
    await world.declare("dev", BROKEN);
    const pauses: number[] = [];
    await world.until(async () => {
      const job = await world.lastJob("dev");
      const pause = job.runAt - job.createdAt;
      if (pause > 0 && !pauses.includes(pause)) pauses.push(pause);
      return job.state === "Failed";
    });
    expect(pauses).toHaveLength(2);
    expect(await world.lastJob("dev")).toMatchObject({ attempt: 3, error: { code: "step-failed" } });
    const calls = world.simulation.world.records.length;
    await world.pass(3_600_000);
    expect(await world.cluster("dev")).toMatchObject({ phase: "Unavailable", modifiers: ["Stalled"] });
    expect(await world.jobs("dev")).toHaveLength(1);
    expect(world.simulation.world.records).toHaveLength(calls);
    world.simulation.world.heal();
    await world.request("dev", "create");
    await world.untilPhase("dev", "Running");
  });
});
