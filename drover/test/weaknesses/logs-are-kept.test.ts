import { describe, expect, it } from "vitest";
import type { LogLine } from "../../src/ports/store/index.ts";
import { simulatedSpec } from "../simulated-bench.ts";
import { openWorld, type TestWorld } from "./open-world.ts";

async function readLog(world: TestWorld, jobId: string, from = 1): Promise<readonly LogLine[]> {
  return await world.ask((store) => store.read.readLog({ jobId, from, limit: 10_000 }));
}

describe("the log of a job", () => {
  it("survives being read, by any number of readers, from any line on", async () => {
    const world = await openWorld();
    world.startWorker();
    const { job } = await world.declare("dev", simulatedSpec({ workers: 100 }));
    const jobId = job?.id ?? "";
    await world.untilPhase("dev", "Running");
    const lines = await readLog(world, jobId);
    expect(lines.length).toBeGreaterThan(100);
    const readers = Array.from({ length: 20 }, () => readLog(world, jobId));
    for (const read of await Promise.all(readers)) expect(read).toEqual(lines);
    for (const from of [2, 51, lines.length]) expect(await readLog(world, jobId, from)).toEqual(lines.slice(from - 1));
  });

  it("is not overwritten by the next attempt, the next worker or the next job", async () => {
    const world = await openWorld();
    const worker = world.startWorker();
    const faults = [{ operation: "create", effect: "fail", times: 5 }] as const;
    const { job } = await world.declare("dev", simulatedSpec({ faults: [...faults] }));
    const jobId = job?.id ?? "";
    await world.until(async () => (await world.lastJob("dev")).attempt === 2);
    const early = await readLog(world, jobId);
    expect(early.length).toBeGreaterThan(0);
    worker.kill({ unheard: false });
    world.startWorker();
    await world.untilPhase("dev", "Running");
    const all = await readLog(world, jobId);
    expect(all.slice(0, early.length)).toEqual(early);
    await world.declare("dev", simulatedSpec({ workers: 3 }), "update");
    await world.until(async () => (await world.cluster("dev")).observedGeneration === 2);
    expect(await readLog(world, jobId)).toEqual(all);
  });
});
