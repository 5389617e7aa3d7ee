import { describe, expect } from "vitest";
import { ManualTimer } from "../../../test/manual-timer.ts";
import { sqliteSubject } from "../../../test/store-world.ts";
import { declare, declareAndClaim, storeTest } from "../../ports/store/world.conformance.ts";
import { makeEventView } from "./event-source.ts";
import { HEARTBEAT_MS, Live } from "./live.ts";
import { makeLogView } from "./log-source.ts";
import { HIGH_WATER_BYTES, type Sink } from "./sink.ts";
import { Viewer } from "./viewer.ts";
import { sseWire } from "./wire.ts";

const it = storeTest(sqliteSubject("libsql"));

function makeSink(): Sink & { text: string; buffered: number; cuts: string[] } {
  const onClosed: (() => void)[] = [];
  const sink = {
    ...{ text: "", buffered: 0, cuts: [] as string[] },
    write: (bytes: Buffer) => {
      sink.text += bytes.toString();
    },
    onceDrained: () => {},
    onceClosed: (callback: () => void) => void onClosed.push(callback),
    finish: () => sink.cuts.push("finished"),
    cut: (reason: string) => {
      sink.cuts.push(reason);
      for (const callback of onClosed.splice(0)) callback();
    },
  };
  return sink;
}

/** A store that never says when there is something new. */
const silent = { onWake: () => () => {} };
const fail = (error: unknown) => {
  throw error;
};

describe("a heartbeat", () => {
  it("tells the place, and finds what nobody had told of", async ({ world: { store } }) => {
    const timer = new ManualTimer();
    const live = new Live({ read: store.read, wake: silent }, fail, timer);
    const [sink, sinkOfAll] = [makeSink(), makeSink()];
    const view = makeEventView({ scopes: [], cluster: "wanted" });
    live.watchEvents(new Viewer({ view, wire: sseWire, sink, place: null }));
    await expect.poll(() => sink.text).toBe("retry: 1000\nid: 0\n\n");
    live.watchEvents(new Viewer({ view: makeEventView({ scopes: [] }), wire: sseWire, sink: sinkOfAll, place: null }));
    await expect.poll(() => sinkOfAll.text).toContain("id: 0");
    expect([...timer.waiting].map(({ ms }) => ms)).toEqual([HEARTBEAT_MS]);
    await declare(store, "other");
    expect(sink.text).not.toContain("still here");
    timer.pass();
    await expect.poll(() => sinkOfAll.text).toContain('"cluster":"other"');
    timer.pass();
    // The second one is behind the event that the first one found, although it is not for this viewer.
    expect(sink.text).toBe("retry: 1000\nid: 0\n\n: still here\nid: 0\n\n: still here\nid: 1\n\n");
    await declare(store, "wanted");
    timer.pass();
    await expect.poll(() => sink.text).toContain('"cluster":"wanted"');
    live.close();
  });

  it("ends with the job when nobody had told of its end", async ({ world: { store } }) => {
    const timer = new ManualTimer();
    const live = new Live({ read: store.read, wake: silent }, fail, timer);
    const { ref, job } = await declareAndClaim(store);
    const sink = makeSink();
    live.followLog(job, new Viewer({ view: makeLogView("sse", {}), wire: sseWire, sink, place: 0 }), () => true);
    await expect.poll(() => sink.text).toContain("id: 0");
    await store.jobs.finishJobs([{ ref, state: "Canceled" }]);
    timer.pass();
    await expect.poll(() => sink.text).toContain('event: end\ndata: {"state":"Canceled","last":0}');
    expect(sink.cuts).toEqual(["finished"]);
    live.close();
  });

  it("ends whoever has taken nothing for ten minutes, and none are made when nobody is left", async ({ world }) => {
    const timer = new ManualTimer();
    const live = new Live(world.store, fail, timer);
    const sink = makeSink();
    live.watchEvents(new Viewer({ view: makeEventView({ scopes: [] }), wire: sseWire, sink, place: 0 }));
    await expect.poll(() => sink.text).toContain("id: 0");
    sink.buffered = HIGH_WATER_BYTES + 1;
    for (let beat = 0; beat < 600_000 / HEARTBEAT_MS; beat++) timer.pass();
    expect([sink.cuts, live.counts]).toEqual([[], { events: 1, logs: 0 }]);
    timer.pass();
    expect([sink.cuts, live.counts]).toEqual([["stalled"], { events: 0, logs: 0 }]);
    expect(timer.waiting.size).toBe(0);
  });
});
