import { DroverError } from "@drover/contract";
import { describe, expect, it } from "vitest";
import { applyUpdates, FakeEngineStore } from "../../test/fake-engine-store.ts";
import { fakeStep } from "../../test/fake-step.ts";
import { SimulatedTime } from "../../test/simulated-time.ts";
import type { StepUpdate } from "../ports/store/index.ts";
import { Journal } from "./journal.ts";
import { PlanStop } from "./plan-stop.ts";
import { LeaseLost, PlanBroken, WorkerStopping } from "./stop-reasons.ts";

const running = (stepId: string, attempt = 1): StepUpdate => ({ stepId, state: "Running", attempt, error: null });
const succeeded = (stepId: string, attempt = 1): StepUpdate => ({ stepId, state: "Succeeded", attempt, error: null });

function openJournal() {
  const time = new SimulatedTime();
  const store = new FakeEngineStore(time);
  store.beginPlan(["a", "b", "c", "d"].map((id) => fakeStep(id)));
  store.latencyMs = 10;
  const stop = new PlanStop();
  const save = (updates: readonly StepUpdate[]): Promise<void> => store.jobs.saveSteps(store.ref, updates);
  return { time, store, stop, journal: new Journal({ save, stop, timer: time, lingerMs: 20 }) };
}

const ids = (store: FakeEngineStore): string[] =>
  store.writes.map((write) => write.map(({ stepId }) => stepId).join(" "));

describe("the journal", () => {
  it("writes all transitions that wait together in one call, one call at a time, in order", async () => {
    const { time, store, journal } = openJournal();
    const first = journal.record([succeeded("a")]);
    await time.pass(1);
    const rest = Promise.all([journal.record([succeeded("b")]), journal.record([succeeded("c"), succeeded("d")])]);
    expect(await time.run(first)).toBe(true);
    expect(store.stateOf("a")).toBe("Succeeded");
    expect(store.stateOf("b")).toBe("Pending");
    expect(await time.run(rest)).toEqual([true, true]);
    expect(ids(store)).toEqual(["a", "b c d"]);
  });

  it("puts what ends in the same moment into the same write", async () => {
    const { time, store, journal } = openJournal();
    await time.run(Promise.all(["a", "b"].map((id) => journal.record([succeeded(id)]))));
    expect(ids(store)).toEqual(["a b"]);
  });

  it("lets a beginning wait a little for company", async () => {
    const { time, store, journal } = openJournal();
    journal.note(running("a"));
    await time.pass(15);
    journal.note(running("b"));
    expect(store.writes).toEqual([]);
    await time.pass(20);
    expect(ids(store)).toEqual(["a b"]);
    expect(time.waiting).toBe(0);
  });

  it("writes a step that ends soon once, with all that is known of it", async () => {
    const { time, store, journal } = openJournal();
    journal.note(running("a", 3));
    expect(await time.run(journal.record([{ stepId: "a", state: "Succeeded", result: 7 }]))).toBe(true);
    expect(store.writes).toEqual([[{ stepId: "a", state: "Succeeded", attempt: 3, error: null, result: 7 }]]);
    expect(time.waiting).toBe(0);
  });

  it("does not hurry what was noted during a write", async () => {
    const { time, store, journal } = openJournal();
    const written = journal.record([succeeded("a")]);
    await time.pass(5);
    journal.note(running("b"));
    await time.run(written);
    expect(time.now()).toBe(1_000_010);
    await time.pass(19);
    expect(ids(store)).toEqual(["a"]);
    await time.pass(11);
    expect(ids(store)).toEqual(["a", "b"]);
  });

  it("waits for everything that was noted when it is flushed", async () => {
    const { time, store, journal } = openJournal();
    journal.note(running("a"));
    expect(await time.run(journal.flush())).toBe(true);
    expect(store.stateOf("a")).toBe("Running");
    expect(await time.run(journal.flush())).toBe(true);
    expect(store.writes).toHaveLength(1);
  });

  it("says the same when it is written twice", () => {
    const { store } = openJournal();
    const updates = [running("a"), succeeded("b"), { stepId: "c", state: "Blocked" as const }];
    const once = applyUpdates(store.records, updates, 1);
    expect(applyUpdates(once, updates, 1)).toEqual(once);
  });

  it("tries again while the store is away, for as long as that takes", async () => {
    const { time, store, journal } = openJournal();
    for (let times = 0; times < 20; times++) store.failures.push(new DroverError("store-unreachable", "It is away."));
    expect(await time.run(journal.record([succeeded("a")]))).toBe(true);
    expect(ids(store)).toEqual(["a"]);
  });

  it("goes on writing while the worker stops", async () => {
    const { time, store, journal, stop } = openJournal();
    stop.trip(new WorkerStopping());
    expect(await time.run(journal.record([succeeded("a")]))).toBe(true);
    expect(ids(store)).toEqual(["a"]);
  });

  it("stops the plan when another worker has the job, and writes nothing any more", async () => {
    const { time, store, journal, stop } = openJournal();
    store.token = 2;
    const both = [journal.record([succeeded("a")]), journal.record([succeeded("b")])];
    expect(await time.run(Promise.all(both))).toEqual([false, false]);
    expect(stop.reason).toBeInstanceOf(LeaseLost);
    store.token = 1;
    expect(await time.run(journal.record([succeeded("c")]))).toBe(false);
    expect(await time.run(journal.flush())).toBe(false);
    expect(store.writes).toEqual([]);
  });

  it("does not wait for the store any longer once the lease is lost", async () => {
    const { time, store, journal, stop } = openJournal();
    store.failures.push(new DroverError("store-unreachable", "It is away."));
    const written = journal.record([succeeded("a")]);
    await time.pass(50);
    stop.trip(new LeaseLost());
    expect(await time.run(written)).toBe(false);
    expect(time.now()).toBe(1_000_050);
  });

  it("stops the plan when the store refuses for good", async () => {
    const { time, store, journal, stop } = openJournal();
    const error = new DroverError("store-damaged", "The file is no database.");
    store.failures.push(error);
    expect(await time.run(journal.record([succeeded("a")]))).toBe(false);
    expect(stop.reason).toBeInstanceOf(PlanBroken);
    expect(stop.reason?.cause).toBe(error);
  });
});
