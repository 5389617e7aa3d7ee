import { type Query, QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { KEYS } from "../query-keys.ts";
import { CacheRefresher, findStale, isTouched, showsCluster } from "./apply-events.ts";

const event = (cluster: string | null, jobId: string | null = null, body: unknown = {}) => ({
  ...{ cursor: 1, time: "2026-01-01T00:00:00Z", kind: "x", cluster, jobId, body },
});

it("knows which clusters, jobs, batches and machines events are about", () => {
  const seen = { ...event(null, null, { name: "m" }), kind: "machine.seen" };
  const others = [event("a", "j2"), event(null, null, { batchId: "b" }), event(null, null, { name: "no machine" })];
  expect(findStale([event("a", "j1"), ...others, seen])).toEqual({
    ...{ clusters: new Set(["a"]), jobs: new Set(["j1", "j2"]), batches: new Set(["b"]), machines: new Set(["m"]) },
  });
});

it("takes no machine for free or taken any more when a cluster is declared or gone", () => {
  const state = {} as Query["state"];
  const machines = [KEYS.machine("m"), [...KEYS.machines, "all"]].map((queryKey) => ({ queryKey, state }));
  const touched = (kind: string) => machines.map((query) => isTouched(query, findStale([{ ...event("a"), kind }])));
  for (const kind of ["cluster.create", "cluster.update", "cluster.deleted"])
    expect(touched(kind)).toEqual([true, true]);
  expect(touched("cluster.observed")).toEqual([false, false]);
});

it("reads a page anew only when it shows what changed, or may show something new", () => {
  const page = (names: string[], next: string | null) => ({
    items: names.map((name) => ({ metadata: { name } })),
    next,
  });
  const changed = new Set(["b"]);
  expect(showsCluster(page(["a", "b"], "more"), changed)).toBe(true);
  expect(showsCluster(page(["a", "c"], "more"), changed)).toBe(false);
  expect(showsCluster(page(["a", "c"], null), changed)).toBe(true);
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("reads what is on the screen once for many events", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  const read = vi.fn(async () => ({ items: [{ metadata: { name: "a" } }], next: null }));
  const observer = new QueryObserver(client, { queryKey: [...KEYS.clusterPages, "x"], queryFn: read });
  const stop = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(10);
  expect(read).toHaveBeenCalledTimes(1);
  const refresher = new CacheRefresher(client);
  for (let turn = 0; turn < 100; turn += 1) refresher.apply([event("a")]);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(read).toHaveBeenCalledTimes(2);
  stop();
  client.clear();
});

it("reads once more what was being read when an event came, since the answer may be older than the event", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  const slow = () => new Promise<{ state: string }>((resolve) => setTimeout(() => resolve({ state: "old" }), 2_000));
  const read = vi.fn(slow);
  const observer = new QueryObserver(client, { queryKey: [...KEYS.job("j"), "x"], queryFn: read });
  const stop = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(10);
  new CacheRefresher(client).apply([event("a", "j")]);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(read).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(read).toHaveBeenCalledTimes(2);
  stop();
  client.clear();
});
