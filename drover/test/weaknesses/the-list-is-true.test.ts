import { describe, expect, it } from "vitest";
import { simulatedSpec } from "../simulated-bench.ts";
import { openWorld, type TestWorld } from "./open-world.ts";

async function listNames(world: TestWorld): Promise<readonly string[]> {
  return (await world.ask((store) => store.read.listClusters({ limit: 100 }))).items.map(({ name }) => name);
}

describe("the list of clusters", () => {
  it("keeps a cluster that is unreachable when everything starts", async () => {
    const world = await openWorld();
    const worker = world.startWorker();
    const { cluster } = await world.declare("dev", simulatedSpec());
    await world.untilPhase("dev", "Running");
    worker.kill({ unheard: true });
    world.disturb(cluster, "reboot");
    world.startWorker();
    const isSeenUnreachable = async () => {
      // It does not come up again before somebody has looked.
      world.disturb(cluster, "reboot");
      return (await world.cluster("dev")).phase === "Unreachable";
    };
    await world.until(isSeenUnreachable, 120_000, 5_000);
    expect(await listNames(world)).toEqual(["dev"]);
    await world.untilPhase("dev", "Running");
    expect(await world.jobs("dev")).toHaveLength(1);
  });

  it("keeps a cluster that nobody can see, and nobody makes or removes anything meanwhile", async () => {
    const world = await openWorld();
    const worker = world.startWorker();
    const { cluster } = await world.declare("dev", simulatedSpec());
    await world.untilPhase("dev", "Running");
    worker.kill({ unheard: true });
    const faults = [{ operation: "observe", effect: "unreachable" }] as const;
    await world.declare("dev", simulatedSpec({ faults: [...faults] }), "update");
    const before = world.objects(cluster.id).map(({ id }) => id);
    world.startWorker();
    await world.pass(600_000);
    expect(await listNames(world)).toEqual(["dev"]);
    expect((await world.cluster("dev")).presence).not.toBe("absent");
    expect(world.objects(cluster.id).map(({ id }) => id)).toEqual(before);
    expect(world.wrongs()).toEqual([]);
  });

  it("never shows a cluster in deletion as live again", async () => {
    const world = await openWorld();
    let worker = world.startWorker();
    const faults = [{ operation: "delete", effect: "fail", times: 4 }] as const;
    const latency = { minimumMs: 3_000, maximumMs: 3_000 };
    await world.declare("dev", simulatedSpec({ workers: 2, latency, faults: [...faults] }));
    await world.untilPhase("dev", "Running");
    await world.delete("dev");
    const phases = new Set<string>();
    for (let round = 0; round < 60; round++) {
      const found = await world.find("dev");
      if (found === null) break;
      phases.add(found.phase);
      await world.pass(1_000);
      if (round % 10 !== 9) continue;
      worker.kill({ unheard: false });
      worker = world.startWorker();
    }
    await world.untilGone("dev");
    expect([...phases]).toEqual(["Deleting"]);
    await world.pass(600_000);
    expect(await listNames(world)).toEqual([]);
  });
});
