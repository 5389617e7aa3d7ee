import { describe, expect, it } from "vitest";
import { simulatedSpec } from "../simulated-bench.ts";
import { openWorld } from "./open-world.ts";

const SLOW = { latency: { minimumMs: 2_000, maximumMs: 2_000 } };

describe("the lock of a cluster", () => {
  it("is held by someone: two workers never work on one cluster", async () => {
    for (let moment = 0; moment <= 5_000; moment += 1_000) {
      const world = await openWorld();
      // So that the first one is always in the middle of a write, too, when it is stopped.
      world.simulation.troubles.slow = 1_000;
      const first = world.startWorker();
      const { cluster } = await world.declare("dev", simulatedSpec({ workers: 2, ...SLOW }));
      await world.until(async () => (await world.lastJob("dev")).attempt === 1);
      await world.pass(moment);
      first.gate.stop();
      world.startWorker();
      // The second one has taken over, and is in the middle of it, when the first one wakes up and goes on.
      await world.until(async () => (await world.lastJob("dev")).attempt > 1);
      await world.pass(2_500);
      first.gate.wake();
      await world.untilPhase("dev", "Running");
      await world.pass(60_000);
      expect(world.wrongs(), `stopped after ${moment} ms`).toEqual([]);
      expect(await world.jobs("dev")).toMatchObject([{ kind: "create", state: "Succeeded" }]);
      expect(world.objects(cluster.id)).toHaveLength(4);
    }
  });

  it("is never held twice, however many workers there are and however much is asked for", async () => {
    const world = await openWorld();
    for (let count = 0; count < 3; count++) world.startWorker();
    for (const workers of [1, 3, 0, 2]) {
      await world.declare("dev", simulatedSpec({ workers, ...SLOW }), workers === 1 ? "create" : "update");
      for (let look = 0; look < 40; look++) {
        await world.pass(100);
        const running = world.simulation.query("select worker_id from jobs where state = 'Processing'");
        expect(running.length).toBeLessThanOrEqual(1);
      }
    }
    await world.untilPhase("dev", "Running");
    expect(world.wrongs()).toEqual([]);
  });
});
