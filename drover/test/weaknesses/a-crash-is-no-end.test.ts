import { describe, expect, it } from "vitest";
import { simulatedSpec } from "../simulated-bench.ts";
import { openWorld } from "./open-world.ts";

const SPEC = simulatedSpec({ workers: 2, latency: { minimumMs: 1_000, maximumMs: 1_000 } });

describe("a worker that dies", () => {
  it.each([{ unheard: false }, { unheard: true }])(
    "during create does not leave Creating for ever: %o",
    async (how) => {
      const world = await openWorld();
      const worker = world.startWorker();
      const { cluster } = await world.declare("dev", SPEC);
      await world.until(() => world.objects(cluster.id).length === 2);
      expect((await world.cluster("dev")).phase).toBe("Creating");
      worker.kill(how);
      world.startWorker();
      await world.untilPhase("dev", "Running", 120_000);
      expect(world.objects(cluster.id)).toHaveLength(4);
      expect(world.wrongs()).toEqual([]);
    },
  );

  it("at any moment of a job does not make its resume hang", async () => {
    for (let moment = 0; moment <= 8_000; moment += 500) {
      const world = await openWorld();
      const worker = world.startWorker();
      await world.declare("dev", SPEC);
      await world.pass(moment);
      worker.kill({ unheard: true });
      world.startWorker();
      await world.untilPhase("dev", "Running", 120_000);
      expect(world.wrongs(), `killed after ${moment} ms`).toEqual([]);
    }
  });

  it("and one that gets its own job back after it was cut off comes to the end of it", async () => {
    const world = await openWorld();
    const worker = world.startWorker();
    await world.declare("dev", simulatedSpec({ latency: { minimumMs: 40_000, maximumMs: 40_000 } }));
    await world.pass(1_000);
    worker.gate.cutOffUntil = world.simulation.time.monotonic() + 20_000;
    await world.untilPhase("dev", "Running", 900_000);
    expect(world.wrongs()).toEqual([]);
  });

  it("during create does not keep a cluster that is declared absent from being deleted", async () => {
    const world = await openWorld();
    const worker = world.startWorker();
    const { cluster } = await world.declare("dev", SPEC);
    await world.until(() => world.objects(cluster.id).length === 2);
    worker.kill({ unheard: true });
    await world.delete("dev");
    world.startWorker();
    await world.untilGone("dev", 120_000);
    expect(world.objects(cluster.id)).toEqual([]);
  });
});

describe("a cluster that is declared absent", () => {
  it("while it is being created is deleted", async () => {
    const world = await openWorld();
    world.startWorker();
    const { cluster } = await world.declare("dev", SPEC);
    await world.until(() => world.objects(cluster.id).length === 2);
    expect((await world.cluster("dev")).phase).toBe("Creating");
    await world.delete("dev");
    await world.untilGone("dev", 120_000);
    expect(world.objects(cluster.id)).toEqual([]);
    const record = await world.ask((store) => store.read.getCluster(cluster.id));
    expect(record?.deletedAt).not.toBeNull();
    expect(record?.deletionRecord).not.toBeNull();
  });
});
