import { describe, expect, it } from "vitest";
import { simulatedSpec } from "../simulated-bench.ts";
import { openWorld } from "./open-world.ts";

describe("planning", () => {
  it("that fails is not reported as success", async () => {
    const world = await openWorld();
    world.startWorker();
    await world.declare("dev", simulatedSpec({}, { kubernetes: { version: "v1.34.0" } }));
    await world.untilPhase("dev", "Running");
    const calls = world.simulation.world.records.length;
    await world.declare("dev", simulatedSpec({}, { kubernetes: { version: "v1.33.1" } }), "update");
    await world.until(async () => (await world.lastJob("dev")).state !== "Pending");
    await world.until(async () => (await world.lastJob("dev")).state !== "Processing");
    await world.pass(120_000);
    expect(await world.lastJob("dev")).toMatchObject({ kind: "update", state: "Failed" });
    expect((await world.lastJob("dev")).error?.message).not.toBe("");
    expect(await world.cluster("dev")).toMatchObject({ phase: "Unavailable", observedGeneration: 1 });
    expect(world.simulation.world.records).toHaveLength(calls);
  });
});

describe("removal", () => {
  it("touches only the nodes named", async () => {
    const world = await openWorld();
    world.startWorker();
    const { cluster } = await world.declare("dev", simulatedSpec({ workers: 4 }));
    const { cluster: other } = await world.declare("other", simulatedSpec({ workers: 4 }));
    await world.untilPhase("dev", "Running");
    await world.untilPhase("other", "Running");
    const [before, elsewhere] = [world.objects(cluster.id), world.objects(other.id)].map((list) => [...list]);
    await world.declare("dev", simulatedSpec({ workers: 2 }), "update");
    await world.until(async () => (await world.cluster("dev")).observedGeneration === 2);
    const removed = world.simulation.world.records.filter(({ effect }) => effect === "removed");
    expect(removed.flatMap(({ objects }) => objects.map(({ name }) => name)).sort()).toEqual([
      "simulated-dev-worker-3",
      "simulated-dev-worker-4",
    ]);
    const left = world.objects(cluster.id).map(({ id }) => id);
    expect(before?.map(({ id }) => id)).toEqual(expect.arrayContaining(left));
    expect(left).toHaveLength(4);
    expect(world.objects(other.id)).toEqual(elsewhere);
  });

  it("of a cluster touches nothing that belongs to others", async () => {
    const world = await openWorld();
    world.startWorker();
    const { cluster } = await world.declare("dev", simulatedSpec({ workers: 1 }));
    const { cluster: other } = await world.declare("other", simulatedSpec({ workers: 1 }));
    const mark = { operation: null, clusterId: null, key: null, token: null, input: {} };
    world.simulation.world.append([{ call: "plant-foreign", clusterName: "dev-of-somebody", ...mark }]);
    await world.untilPhase("dev", "Running");
    await world.untilPhase("other", "Running");
    const elsewhere = [...world.objects(other.id)];
    const foreign = [...world.simulation.world.read().foreign];
    expect(foreign).not.toEqual([]);
    await world.delete("dev");
    await world.untilGone("dev");
    expect(world.objects(cluster.id)).toEqual([]);
    expect(world.objects(other.id)).toEqual(elsewhere);
    expect(world.simulation.world.read().foreign).toEqual(foreign);
  });
});
