import { describe, expect, it } from "vitest";
import { simulatedCluster, simulatedSpec } from "../../../test/simulated-bench.ts";
import { SimulatedTime } from "../../../test/simulated-time.ts";
import { type Caller, SimulatedCloud } from "./cloud.ts";
import type { Fault } from "./ledger.ts";
import { MemoryWorld } from "./memory-world.ts";

function setUp(faults: readonly Fault[] = [], latency = { minimumMs: 100, maximumMs: 100 }) {
  const time = new SimulatedTime(0);
  const world = new MemoryWorld(time);
  const stop = new AbortController();
  const caller: Caller = {
    cluster: simulatedCluster("dev", simulatedSpec({ faults: [...faults], latency })),
    job: { id: "job", kind: "create", attempt: 1, worker: "w1" },
    signal: stop.signal,
    idempotencyKey: "key",
    fencingToken: 5,
  };
  return { time, world, stop, caller, cloud: new SimulatedCloud(world, time) };
}

describe("a call", () => {
  it("takes its time, half of it before the effect", async () => {
    const { time, world, caller, cloud } = setUp();
    const call = cloud.call(caller, "create-cluster");
    await time.pass(49);
    expect(world.records).toEqual([]);
    await time.pass(1);
    expect(world.records).toHaveLength(1);
    await time.run(call);
    expect(time.now()).toBe(100);
  });

  it("takes between the shortest and the longest time, by the seed", async () => {
    const { time, caller, cloud } = setUp([], { minimumMs: 10, maximumMs: 20 });
    const took: number[] = [];
    for (let count = 0; count < 50; count += 1) {
      const start = time.now();
      await time.run(cloud.call(caller, "create-cluster"));
      took.push(time.now() - start);
    }
    expect(Math.min(...took)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...took)).toBeLessThanOrEqual(20);
    expect(new Set(took).size).toBeGreaterThan(10);
  });

  it("that is stopped before its effect has none, and after it has", async () => {
    for (const [ms, lines] of [
      [20, 0],
      [70, 1],
    ] as const) {
      const { time, world, stop, caller, cloud } = setUp();
      const call = cloud.call(caller, "create-cluster");
      time.after(ms, () => stop.abort(new Error("stopped")));
      await expect(time.run(call)).rejects.toThrow("stopped");
      expect(world.records).toHaveLength(lines);
    }
  });

  it("that hangs ends with the signal only", async () => {
    const { time, world, stop, caller, cloud } = setUp([{ operation: "create", effect: "hang" }]);
    const call = cloud.call(caller, "create-cluster");
    time.after(3_600_000, () => stop.abort(new Error("stopped")));
    await expect(time.run(call)).rejects.toThrow("stopped");
    expect(time.now()).toBe(3_600_000);
    expect(world.records[0]).toMatchObject({ effect: "failed", fault: "hang" });
  });

  it.each<[Fault["effect"], number]>([
    ["fail", 0],
    ["unreachable", 0],
    ["done-yet-fails", 1],
  ])("that meets %s ends with an error that says so", async (effect, made) => {
    const { time, world, caller, cloud } = setUp([{ operation: "create", effect, message: "Out of luck." }]);
    const call = cloud.call(caller, "create-cluster");
    await expect(time.run(call)).rejects.toMatchObject({
      code: "step-failed",
      message: "Simulated cloud: Out of luck.",
    });
    expect(world.read().clusters.get(caller.cluster.id)?.objects).toHaveLength(made);
  });

  it("that succeeds although nothing was done is believed: only a look finds out", async () => {
    const { time, world, caller, cloud } = setUp([{ operation: "create", effect: "nothing-yet-succeeds" }]);
    await time.run(cloud.call(caller, "create-cluster"));
    expect(world.read().clusters.get(caller.cluster.id)?.objects).toEqual([]);
  });

  it("of an older worker is refused as a lost lease", async () => {
    const { time, caller, cloud } = setUp();
    await time.run(cloud.call({ ...caller, fencingToken: 6 }, "shut-out"));
    await expect(time.run(cloud.call(caller, "create-cluster"))).rejects.toMatchObject({ code: "lease-lost" });
  });

  it("belongs to the operation of its job, and shutting out to none", async () => {
    const { time, world, caller, cloud } = setUp([{ operation: "delete", effect: "fail" }]);
    await time.run(cloud.call(caller, "create-cluster"));
    const deletion: Caller = { ...caller, job: { ...caller.job, kind: "delete" } };
    await time.run(cloud.call(deletion, "shut-out"));
    await expect(time.run(cloud.call(deletion, "remove-node"))).rejects.toMatchObject({ code: "step-failed" });
    const repair: Caller = { ...caller, job: { ...caller.job, kind: "repair" } };
    await time.run(cloud.call(repair, "remove-node"));
    expect(world.records.map(({ operation }) => operation)).toEqual(["create", null, "delete", "update"]);
  });
});
