import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { App } from "../app/app.ts";
import type { JsonObject } from "../domain/plan.ts";
import { readWorkTimes, type WorkTime } from "../domain/work-times.ts";
import { renderWorkTimes } from "./render-work-times.ts";

export interface Metrics {
  /** Everything in Prometheus' text form; what the store knows is asked now. */
  render(): Promise<string>;
}

/** Counts the requests of this process, and asks the store for the rest when somebody wants to know. */
export function addMetrics(
  server: FastifyInstance,
  app: App,
  streams: () => { readonly events: number; readonly logs: number },
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  watchRequests(server, registry);
  const gauges = makeGauges(registry);
  return {
    render: async () => {
      const workTimes = await readStore(app, gauges);
      const { events, logs } = streams();
      gauges.streams.set({ kind: "events" }, events);
      gauges.streams.set({ kind: "logs" }, logs);
      return `${await registry.metrics()}\n${renderWorkTimes(workTimes)}`;
    },
  };
}

function watchRequests(server: FastifyInstance, registry: Registry): void {
  const registers = [registry];
  const labelNames = ["method", "route", "status"] as const;
  const requests = new Counter({
    ...{ name: "drover_http_requests_total", help: "Requests that were answered.", labelNames, registers },
  });
  const seconds = new Histogram({
    ...{ name: "drover_http_request_seconds", help: "How long answers took.", registers },
    labelNames: ["method", "route"] as const,
    buckets: [0.002, 0.01, 0.05, 0.2, 1, 5],
  });
  server.addHook("onResponse", async (request, reply) => {
    // The pattern, not the address: names of clusters must not become labels without end.
    const { method } = request;
    const route = request.routeOptions.url ?? "none";
    requests.inc({ method, route, status: String(reply.statusCode) });
    seconds.observe({ method, route }, reply.elapsedTime / 1_000);
  });
}

type Gauges = ReturnType<typeof makeGauges>;

function makeGauges(registry: Registry) {
  const gauge = <T extends string>(name: string, help: string, labelNames: readonly T[] = []) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
  return {
    clusters: gauge("drover_clusters", "Clusters by phase.", ["phase"]),
    jobs: gauge("drover_jobs", "Jobs that wait or run, by kind.", ["state", "kind"]),
    queueAge: gauge("drover_job_queue_age_seconds", "How long the job waits that should have begun first."),
    workers: gauge("drover_workers", "Workers that are here."),
    leases: gauge("drover_leases", "Leases that are held: on jobs, and named ones.", ["kind"]),
    streams: gauge("drover_streams", "Streams that are open on this server.", ["kind"]),
  };
}

/** Fills the gauges, and answers how long the work of each worker took. */
async function readStore(app: App, gauges: Gauges): Promise<ReadonlyMap<string, readonly WorkTime[]>> {
  const { clusters, jobs, queueAge, workers, leases } = gauges;
  const { read } = app.store;
  const [fleet, live, held] = await Promise.all([
    read.countClusters({}),
    read.countLiveJobs(),
    app.store.leases.listLeases(""),
  ]);
  const present = held.filter(({ key }) => key.startsWith(WORKER_LEASE));
  clusters.reset();
  for (const [phase, count] of Object.entries(fleet.phases)) clusters.set({ phase }, count);
  jobs.reset();
  for (const { state, kind, count } of live.counts) jobs.set({ state, kind }, count);
  queueAge.set(live.oldestDueAt === null ? 0 : (live.now - live.oldestDueAt) / 1_000);
  workers.set(present.length);
  leases.set({ kind: "worker" }, present.length);
  leases.set({ kind: "other" }, held.length - present.length);
  leases.set(
    { kind: "job" },
    live.counts.reduce((sum, { state, count }) => sum + (state === "Processing" ? count : 0), 0),
  );
  return new Map(
    present.map(({ key, data }) => [
      key.slice(WORKER_LEASE.length),
      readWorkTimes((data as JsonObject | null)?.["times"]),
    ]),
  );
}

const WORKER_LEASE = "worker/";
