import { setTimeout as sleep } from "node:timers/promises";
import { type ClusterSpec, DroverError, type JobKind, validateCluster } from "@drover/contract";
import { cancelJob } from "../src/app/change-cluster.ts";
import type { Step } from "../src/ports/step.ts";
import type { JobRecord, Store } from "../src/ports/store/index.ts";
import type { StoreSubject } from "../src/ports/store/world.conformance.ts";
import { auditLedger } from "../src/providers/simulated/audit-ledger.ts";
import { openTestApp } from "./app.ts";

export const ada = { type: "user", name: "ada" } as const;

/** Only catches hangs. */
const PATIENCE_MS = 100_000;

export function specOf(workers: number, minor = 34): ClusterSpec {
  const validation = validateCluster({
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name: "dev" },
    spec: {
      provider: "simulated",
      kubernetes: { version: `v1.${minor}.0` },
      simulated: { workers, latency: { minimumMs: 1, maximumMs: 5 } },
    },
  });
  if (!validation.ok) throw new Error(JSON.stringify(validation.problems));
  return validation.cluster.spec;
}

/**
 * One cluster, a real worker and a real store. A step can be held after it took effect and before it could say so; the
 * worker hears of cancellations when the test wants it to.
 */
export async function openCancelWorld(subject: StoreSubject) {
  const database = await subject.create();
  const held = { title: "", reached: false };
  const broken = { title: "" };
  const hold = (step: Step): Step => ({
    ...step,
    run: async (context) => {
      const result = await step.run(context);
      if (context.step.title === broken.title) throw new DroverError("plan-invalid", "It took effect all the same.");
      if (context.step.title === held.title) {
        held.reached = true;
        await untilAborted(context.signal);
      }
      return result;
    },
  });
  const hearing = { now: Promise.resolve() };
  const deafen = (store: Store): Store => ({
    ...store,
    jobs: {
      ...store.jobs,
      renewLeases: async (...asked) => {
        await hearing.now;
        return await store.jobs.renewLeases(...asked);
      },
    },
  });
  const test = await openTestApp({
    store: database.store,
    workerStore: deafen,
    // Longer than any test: what waits for its next attempt goes on waiting.
    retry: { attempts: 3, baseMs: 3_600_000, capMs: 3_600_000 },
    changeProvider: (provider) => ({ ...provider, steps: provider.steps.map(hold) }),
  });
  let stop = test.start();
  const { store, app, world } = test;

  const declare = async (spec: ClusterSpec, jobKind: JobKind): Promise<string> => {
    const { job } = await store.desired.declareCluster({ name: "dev", spec, jobKind, actor: ada });
    if (job === null) throw new Error("Nothing is to be done.");
    return job.id;
  };

  const waitForEnd = async (jobId: string): Promise<JobRecord> =>
    await waitFor(`the end of ${jobId}`, async () => {
      const job = await store.read.getJob(jobId);
      return job !== null && ["Succeeded", "Failed", "Canceled"].includes(job.state) ? job : null;
    });

  const waitForPostponed = async (jobId: string): Promise<void> => {
    await waitFor(`a failed attempt of ${jobId}`, async () => {
      const job = await store.read.getJob(jobId);
      return job?.state === "Pending" && job.attempt > 0 ? job : null;
    });
  };

  const phase = async () => (await store.read.findCluster("dev"))?.phase ?? "Gone";

  /** Stops the job while a step is held, and answers what was seen in between and in the end. */
  const stopWhileHeld = async (jobId: string, stopIt: () => Promise<void>) => {
    await waitFor(`"${held.title}"`, async () => (held.reached ? true : null));
    let hear: () => void = () => {};
    hearing.now = new Promise((resolve) => {
      hear = resolve;
    });
    await stopIt();
    const during = await phase();
    Object.assign(held, { title: "", reached: false });
    hear();
    return { during, job: await waitForEnd(jobId), after: await phase() };
  };

  return {
    ...{ store, app, world, declare, waitForEnd, phase },
    /** From here on the step of this title comes to no end. */
    hold: (title: string) => {
      held.title = title;
    },
    /** From here on the step of this title takes effect and fails, for good. */
    break: (title: string) => {
      broken.title = title;
    },
    mend: () => {
      broken.title = "";
    },
    waitForPostponed,
    stopWorker: async () => await stop(),
    startWorker: () => {
      stop = test.start();
    },
    /** Brings something about before the story begins. */
    settle: async (spec: ClusterSpec, jobKind: JobKind) => await waitForEnd(await declare(spec, jobKind)),
    cancel: async (jobId: string, order: { undo?: boolean } = {}) =>
      await stopWhileHeld(jobId, async () => {
        await cancelJob(app, { jobId, actor: ada, ...order });
      }),
    deleteDuring: async (jobId: string) =>
      await stopWhileHeld(jobId, async () => {
        await store.desired.deleteCluster({ name: "dev", actor: ada });
      }),
    /** What is there, and what the ledger of the store believes to be there; the two have to be the same. */
    compareLedgers: async () => {
      const { clusters, doubles, staleEffects } = auditLedger(world.records);
      const there = [...clusters.values()].flatMap(({ clusterName, live }) =>
        live.map(({ kind, name }) => (kind === "cluster" ? name : `${clusterName}/${name}`)),
      );
      const rows = await store.read.listExternalObjects({});
      return { there: there.sort(), known: rows.map(({ ref }) => ref).sort(), doubles, staleEffects };
    },
    dispose: async () => {
      await stop();
      await database.dispose();
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
  });
}

async function waitFor<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > until) throw new Error(`Waited too long for ${what}.`);
    await sleep(5);
  }
}
