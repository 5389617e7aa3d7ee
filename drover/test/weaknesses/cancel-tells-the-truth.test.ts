import { describe, expect, it } from "vitest";
import { simulatedSpec } from "../simulated-bench.ts";
import { openWorld } from "./open-world.ts";

const LATENCY = { minimumMs: 1_000, maximumMs: 1_000 };
const DONE: ReadonlySet<string> = new Set(["Succeeded", "Skipped"]);

describe("cancelling", () => {
  it("does not override a create that had finished", async () => {
    const world = await openWorld();
    world.simulation.troubles.slow = 1_000;
    const worker = world.startWorker();
    const { job } = await world.declare("dev", simulatedSpec({ workers: 1 }));
    const jobId = job?.id ?? "";
    const hasFinished = async () => {
      const steps = await world.ask((store) => store.read.listSteps(jobId));
      return steps.length > 0 && steps.every(({ state }) => DONE.has(state));
    };
    await world.until(hasFinished, 60_000, 5);
    // Whoever goes on knows of the cancellation before anything else.
    worker.kill({ unheard: true });
    await world.cancel(jobId);
    expect((await world.cluster("dev")).phase).toBe("Canceling");
    world.startWorker();
    await world.until(async () => (await world.lastJob("dev")).state !== "Processing");
    expect(await world.lastJob("dev")).toMatchObject({ state: "Succeeded" });
    await world.untilPhase("dev", "Running");
  });

  it("loses nothing that is known, not even when its worker dies over it", async () => {
    const world = await openWorld();
    const worker = world.startWorker();
    const { cluster, job } = await world.declare("dev", simulatedSpec({ workers: 2, latency: LATENCY }));
    await world.until(() => world.objects(cluster.id).length === 2);
    await world.cancel(job?.id ?? "", { undo: false });
    await world.pass(100);
    worker.kill({ unheard: true });
    world.startWorker();
    await world.until(async () => (await world.lastJob("dev")).state === "Canceled");
    expect((await world.cluster("dev")).phase).toBe("Unavailable");
    const listed = await world.ask((store) => store.read.listExternalObjects({ clusterId: cluster.id }));
    const known = new Set(listed.map(({ ref }) => ref.split("/").at(-1)));
    const there = world.objects(cluster.id).map(({ kind, name }) => (kind === "cluster" ? "dev" : name));
    expect(there.length).toBeGreaterThanOrEqual(2);
    for (const name of there) expect(known).toContain(name);
    await world.request("dev", "create");
    await world.untilPhase("dev", "Running");
    expect(world.wrongs()).toEqual([]);
  });

  it("takes back what a create had made, and the record stays until somebody deletes it", async () => {
    const world = await openWorld();
    world.startWorker();
    const { cluster, job } = await world.declare("dev", simulatedSpec({ workers: 2, latency: LATENCY }));
    await world.until(() => world.objects(cluster.id).length === 2);
    await world.cancel(job?.id ?? "");
    await world.until(async () => (await world.lastJob("dev")).state === "Canceled");
    expect(world.objects(cluster.id)).toEqual([]);
    expect((await world.cluster("dev")).phase).toBe("Unavailable");
  });
});

describe("an update that failed", () => {
  it("does not read Running", async () => {
    const world = await openWorld();
    world.startWorker();
    await world.declare("dev", simulatedSpec({ workers: 1 }));
    await world.untilPhase("dev", "Running");
    const faults = [{ operation: "update", effect: "fail" }] as const;
    await world.declare("dev", simulatedSpec({ workers: 3, faults: [...faults] }), "update");
    await world.until(async () => (await world.lastJob("dev")).state === "Failed");
    await world.pass(600_000);
    expect(await world.cluster("dev")).toMatchObject({ phase: "Unavailable", generation: 2, observedGeneration: 1 });
    expect((await world.cluster("dev")).lastError).toContain("Simulated cloud");
  });
});
