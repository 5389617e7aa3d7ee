import { describe, expect, it } from "vitest";
import { simulatedSpec } from "../simulated-bench.ts";
import { openWorld } from "./open-world.ts";

describe("a delete", () => {
  it("never drops the record first", async () => {
    const world = await openWorld();
    world.startWorker();
    const latency = { minimumMs: 500, maximumMs: 500 };
    const { cluster } = await world.declare("dev", simulatedSpec({ workers: 2, latency }));
    await world.untilPhase("dev", "Running");
    await world.delete("dev");
    const left: number[] = [];
    await world.until(async () => {
      const isListed = (await world.find("dev")) !== null;
      left.push(world.objects(cluster.id).length);
      return !isListed;
    });
    // Four things, then fewer and fewer, and none by the time the record is gone.
    expect(left[0]).toBe(4);
    expect(left.at(-1)).toBe(0);
  });

  it("that fails leaves the record, with the reason, and no orphan", async () => {
    const world = await openWorld();
    world.startWorker();
    const faults = [{ operation: "delete", effect: "fail", after: 1 }] as const;
    const { cluster } = await world.declare("dev", simulatedSpec({ workers: 2, faults: [...faults] }));
    await world.untilPhase("dev", "Running");
    await world.delete("dev");
    await world.until(async () => (await world.lastJob("dev")).state === "Failed");
    await world.pass(600_000);
    expect(world.objects(cluster.id)).not.toEqual([]);
    expect(await world.cluster("dev")).toMatchObject({ desiredState: "absent", phase: "Unavailable" });
    expect((await world.cluster("dev")).lastError).toContain("Remove");
    world.simulation.world.heal();
    await world.request("dev", "delete");
    await world.untilGone("dev");
    expect(world.objects(cluster.id)).toEqual([]);
  });

  it("that is told it worked, when nothing was done, does not believe it", async () => {
    const world = await openWorld();
    world.startWorker();
    const faults = [{ operation: "delete", effect: "nothing-yet-succeeds", times: 2 }] as const;
    const { cluster } = await world.declare("dev", simulatedSpec({ workers: 1, faults: [...faults] }));
    await world.untilPhase("dev", "Running");
    await world.delete("dev");
    await world.untilGone("dev");
    expect(world.objects(cluster.id)).toEqual([]);
    expect(world.wrongs()).toEqual([]);
  });
});

describe("a declaration that cannot be stored", () => {
  it.each(["clusters", "revisions", "jobs", "events", "audit"])(
    "is not acknowledged, and nothing of it stays: the disk fails at %s",
    async (table) => {
      const world = await openWorld();
      const { query } = world.simulation;
      query(`create trigger broken before insert on ${table} begin select raise(abort, 'disk I/O error'); end`);
      await expect(world.declare("dev", simulatedSpec())).rejects.toThrow();
      for (const left of ["clusters", "revisions", "jobs", "events", "audit"]) {
        expect(query(`select * from ${left}`), left).toEqual([]);
      }
      query("drop trigger broken");
      expect((await world.declare("dev", simulatedSpec())).outcome).toBe("created");
    },
  );
});
