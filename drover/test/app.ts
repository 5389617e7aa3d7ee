import { pino } from "pino";
import type { App } from "../src/app/app.ts";
import { readDocuments } from "../src/app/read-documents.ts";
import type { RetryPolicy } from "../src/domain/plan.ts";
import { previewPlan } from "../src/engine/preview.ts";
import { makePlan } from "../src/pipelines/make-plan.ts";
import { systemClock } from "../src/ports/clock.ts";
import type { Connector } from "../src/ports/connector.ts";
import { type KubernetesApi, NO_KUBERNETES } from "../src/ports/kubernetes-api.ts";
import type { Provider } from "../src/ports/provider.ts";
import type { Store } from "../src/ports/store/index.ts";
import { systemTimer, type Timer } from "../src/ports/timer.ts";
import { makeProviders } from "../src/providers/index.ts";
import { MemoryWorld } from "../src/providers/simulated/memory-world.ts";
import { makeExecutePlan } from "../src/reconciler/execute-plan.ts";
import { Worker } from "../src/reconciler/worker.ts";
import { registerSteps } from "../src/steps/index.ts";
import { openTestStore } from "./store.ts";

export interface TestAppOptions {
  /** Left out: one of its own, on SQLite. */
  readonly store?: Store;
  /** The store as the worker sees it. */
  readonly workerStore?: (store: Store) => Store;
  /** How clusters are reached; nowhere when it is left out. */
  readonly kubernetes?: KubernetesApi;
  /** Of the simulated clusters. */
  readonly changeProvider?: (provider: Provider) => Provider;
  readonly connect?: (host: string) => Promise<Connector>;
  /** By which use cases wait. */
  readonly appTimer?: Timer;
  /** By which steps wait. */
  readonly stepTimer?: Timer;
  /** By which the deadlines of steps run. */
  readonly engineTimer?: Timer;
  readonly stepGraceMs?: number;
  readonly leaseMs?: number;
  /** How jobs are tried again. */
  readonly retry?: RetryPolicy;
}

/** The whole program in one process, on a real store and a simulated cloud that a test can look into. */
export async function openTestApp(options: TestAppOptions = {}) {
  const { store, dispose } =
    options.store === undefined ? await openTestStore() : { store: options.store, dispose: async () => {} };
  const [clock, timer, random] = [systemClock, systemTimer, () => 0.5];
  const world = new MemoryWorld(clock);
  const readSecret = store.secrets.getSecret.bind(store.secrets);
  const { kubernetes = NO_KUBERNETES } = options;
  const made = makeProviders({ clock, timer, kubernetes, readSecret, simulated: { world } });
  const { changeProvider = (provider) => provider, workerStore = (same) => same } = options;
  const providers = new Map(
    [...made].map(([id, provider]) => [id, id === "simulated" ? changeProvider(provider) : provider]),
  );
  const steps = registerSteps({ providers, kubernetes, clock, timer: options.stepTimer ?? timer });
  const app: App = {
    store,
    providers,
    timer: options.appTimer ?? timer,
    readDocuments: async (text) => readDocuments(text),
    describeChanges: async (plan, cluster) => (await previewPlan({ plan, steps, cluster, kind: "update", timer })).plan,
  };
  const log = pino({ level: "silent" });
  const connect = options.connect ?? (() => Promise.reject(new Error("There is no host to connect to.")));
  const tuning = options.stepGraceMs === undefined ? {} : { graceMs: options.stepGraceMs };
  const seen = workerStore(store);
  const makeWorker = (id: string) =>
    new Worker({
      ...{ store: seen, providers, clock, timer, random },
      identity: { id, host: "h1", providers: [...providers.keys()], hostBound: [] },
      about: { version: "test", pid: process.pid },
      makePlan: (request) => makePlan({ ...request, specHash: request.cluster.specHash }),
      executePlan: makeExecutePlan({
        ...{ store: seen, steps, connect, clock, timer: options.engineTimer ?? timer, random, tuning },
      }),
      options: {
        jobs: { maxJobs: 10, leaseMs: options.leaseMs ?? 5_000, idleMs: 1_000, drainMs: 1_000 },
        looks: {
          ...{ resyncMs: 30_000, healthMs: 300_000, jitterMs: 1_000, leaseMs: 5_000, batch: 100 },
          ...{ expiryWarningMs: 3_600_000, idleMs: 1_000, gatherMs: 1 },
        },
        retry: options.retry ?? { attempts: 3, baseMs: 10, capMs: 50 },
        watch: { everyMs: 1_000, confirmMs: 100 },
      },
      onError: (task, error) => log.error({ task, err: error }, "Something went wrong in the worker"),
    });
  const worker = makeWorker("w1");
  /** Works off everything that can be worked on now. */
  const settle = () => worker.runOnce(new AbortController().signal);
  /** Works until it is told to stop. */
  const start = () => {
    const stopping = new AbortController();
    const ended = worker.run(stopping.signal);
    return async () => {
      stopping.abort();
      await ended;
    };
  };
  return { app, store, world, worker, makeWorker, settle, start, dispose };
}
