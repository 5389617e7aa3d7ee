import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestApp } from "../../test/app.ts";
import { simulatedSpec } from "../../test/simulated-bench.ts";
import { SimulatedTime } from "../../test/simulated-time.ts";
import { openTestStore } from "../../test/store.ts";
import { systemClock } from "../ports/clock.ts";
import type { ScheduleStore, Store } from "../ports/store/index.ts";
import { ada, declare } from "../ports/store/world.conformance.ts";
import { runScheduleLoop } from "./schedule-loop.ts";

const schedule = { hibernate: "0 20 * * *", wake: "0 7 * * *", timezone: "Europe/Berlin" };
const spec = (workers = 1, more: object = {}) => simulatedSpec({ workers }, { maintenance: { schedule, ...more } });

describe("a worker and the clock", () => {
  let offset = 0;
  let store: Store;
  let test: Awaited<ReturnType<typeof openTestApp>>;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const clock = { ...systemClock, now: () => systemClock.now() + offset };
    travelTo("2026-11-16T12:00:00+01:00");
    const opened = await openTestStore({ clock });
    store = opened.store;
    test = await openTestApp({ store });
    close = async () => {
      await test.dispose();
      await opened.dispose();
    };
    await declare(store, "dev", { spec: spec() });
    await test.settle();
  });
  afterEach(() => close());

  const travelTo = (time: string) => {
    offset = Date.parse(time) - systemClock.now();
  };
  const phase = async () => (await store.read.findCluster("dev"))?.phase;
  const calls = (call: string) => test.world.records.filter((record) => record.call === call).length;

  it("stops and starts a cluster when its schedule says so, and leaves it alone in between", async () => {
    expect(await phase()).toBe("Running");
    travelTo("2026-11-16T20:00:01+01:00");
    await test.settle();
    expect(await phase()).toBe("Hibernated");
    travelTo("2026-11-17T06:59:00+01:00");
    for (let pass = 0; pass < 3; pass += 1) await test.settle();
    expect([await phase(), calls("stop-cluster"), calls("start-cluster")]).toEqual(["Hibernated", 1, 0]);
    travelTo("2026-11-17T07:00:01+01:00");
    await test.settle();
    expect([await phase(), calls("stop-cluster"), calls("start-cluster")]).toEqual(["Running", 1, 1]);
  });

  it("makes up for the last time that it missed, and for no other", async () => {
    travelTo("2026-11-20T21:00:00+01:00");
    await test.settle();
    expect([await phase(), calls("stop-cluster"), calls("start-cluster")]).toEqual(["Hibernated", 1, 0]);
    travelTo("2026-11-25T12:00:00+01:00");
    await test.settle();
    expect([await phase(), calls("stop-cluster"), calls("start-cluster")]).toEqual(["Running", 1, 1]);
  });

  it("lets people have it otherwise until the schedule speaks again", async () => {
    travelTo("2026-11-16T20:00:01+01:00");
    await test.settle();
    await store.desired.requestJob({ clusterName: "dev", kind: "wake", hibernated: false, actor: ada });
    for (let pass = 0; pass < 2; pass += 1) await test.settle();
    expect(await phase()).toBe("Running");
    travelTo("2026-11-17T20:00:01+01:00");
    await test.settle();
    expect(await phase()).toBe("Hibernated");
  });

  it("brings a change about that comes in its sleep, and has it sleep again", async () => {
    travelTo("2026-11-16T20:00:01+01:00");
    await test.settle();
    await declare(store, "dev", { spec: spec(3), jobKind: "update" });
    for (let pass = 0; pass < 3; pass += 1) await test.settle();
    expect(await store.read.findCluster("dev")).toMatchObject({ phase: "Hibernated", observedGeneration: 2 });
    expect(calls("create-node")).toBe(4);
  });

  it("does nothing to what is paused, and catches up when the pause ends", async () => {
    await declare(store, "dev", { spec: spec(1, { paused: true }), jobKind: null });
    travelTo("2026-11-16T20:00:01+01:00");
    await test.settle();
    expect(await phase()).toBe("Running");
    await declare(store, "dev", { spec: spec(), jobKind: null });
    await test.settle();
    expect(await phase()).toBe("Hibernated");
  });
});

describe("the loop", () => {
  async function run(waits: readonly (number | null | Error)[], backups: readonly (number | null)[] = []) {
    const time = new SimulatedTime();
    const begun = time.monotonic();
    const told: string[] = [];
    const left = [...waits];
    const backupsLeft = [...backups];
    let wake = () => {};
    const schedules: ScheduleStore = {
      nextSwitchIn: async () => {
        const next = left.length === 0 ? null : (left.shift() as number | null | Error);
        if (next instanceof Error) throw next;
        return next;
      },
      applySwitches: async () => {
        told.push(`${time.monotonic() - begun} applies`);
        return [{ clusterName: "dev", hibernated: true }];
      },
      nextBackupIn: async () => backupsLeft.shift() ?? null,
      startBackups: async () => {
        told.push(`${time.monotonic() - begun} backs up`);
        return [{ clusterName: "dev", jobId: "job-1" }];
      },
    };
    const stop = new AbortController();
    const onWake = (_: string, listener: () => void) => {
      wake = listener;
      return () => told.push("unsubscribed");
    };
    const looping = runScheduleLoop(
      {
        store: { schedules, wake: { onWake } },
        ...{ timer: time, idleMs: 30_000, gatherMs: 100 },
        onError: (_message, error) => told.push(`${time.monotonic() - begun} ${(error as Error).message}`),
      },
      stop.signal,
    );
    const end = async () => {
      stop.abort();
      return await time.run(looping);
    };
    return { time, told, wake: () => wake(), end };
  }

  it("sleeps until the next switch is due, and applies it then", async () => {
    const { time, told, end } = await run([5_000, 5_000, 0, null, null]);
    await time.pass(20_000);
    expect(told).toEqual(["5100 applies"]);
    await end();
    expect(told.at(-1)).toBe("unsubscribed");
  });

  it("sleeps until the next backup is due, and starts it then, whatever is due otherwise", async () => {
    const { time, told, end } = await run([], [5_000, 5_000, 0, null, null]);
    await time.pass(20_000);
    expect(told).toEqual(["5100 backs up"]);
    await end();
  });

  it("asks again when something was declared, and after a failure", async () => {
    const { time, told, wake, end } = await run([null, null, 0, null, null, new Error("away"), 0, null, null]);
    await time.pass(1_000);
    wake();
    await time.pass(1_000);
    expect(told).toEqual(["1100 applies"]);
    wake();
    await time.pass(2_500);
    expect(told.slice(1)).toEqual(["2100 away", "3200 applies"]);
    await end();
  });
});
