import { makeTemporaryFolder } from "../lib/clean-up.mjs";
import { clusterName } from "../lib/fleet.mjs";
import { makeSimulatedSpec } from "../lib/simulated-fleet.mjs";
import { untilTrue } from "../lib/until.mjs";
import { makeWorker } from "../lib/worker.mjs";
import { summarise } from "./graphile-pickup.mjs";

const ACTOR = { type: "user", name: "bench", address: "127.0.0.1" };

/**
 * Drover: from the moment a document is handed in until the first step of its job does its first thing. In between it
 * is parsed and validated, stored with its revision, job, event and audit entry; the worker wakes, takes the job, looks
 * at the cluster, makes a plan and stores it. One after the other; each job has ended before the next is declared.
 *
 * `open` gives a store to declare in and one to work on: the same in one process, two where they are apart.
 */
export function droverPickup({ drover, name, open, count, warmUp }) {
  return {
    name,
    prepare: async () => {
      const { front, back, close } = await open();
      const dataDir = makeTemporaryFolder("data");
      const { worker, close: closeWorker } = await makeWorker(drover, { store: back, dataDir });
      const stopping = new AbortController();
      const ended = worker.run(stopping.signal);
      const { declareCluster } = await drover.load("app/declare-cluster.js");
      const app = await makeApp(drover, front, dataDir);
      const starts = await noteFirstSteps(drover);
      const declareOne = async (number) => {
        const text = writeDocument(number);
        const begin = performance.now();
        const { cluster, job } = await declareCluster(app, { text, actor: ACTOR });
        // Nobody asks while the clock runs: that would be work of another kind.
        await untilTrue(async () => starts.has(cluster.id));
        await untilTrue(async () => (await front.read.getJob(job.id)).finishedAt !== null);
        const { state } = await front.read.getJob(job.id);
        if (state !== "Succeeded") throw new Error(`The job of ${cluster.name} ended as ${state}.`);
        return starts.get(cluster.id) - begin;
      };
      for (let number = 0; number < warmUp; number++) await declareOne(number);
      return {
        measure: async () => {
          const times = [];
          for (let number = warmUp; number < warmUp + count; number++) times.push(await declareOne(number));
          return summarise(times);
        },
        dispose: async () => {
          stopping.abort();
          await ended;
          closeWorker();
          await close();
        },
      };
    },
  };
}

const writeDocument = (number) =>
  JSON.stringify({
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name: clusterName(number) },
    spec: makeSimulatedSpec(number),
  });

/** The use cases as `drover up` has them. */
async function makeApp(drover, store, dataDir) {
  const [main, config] = await Promise.all([drover.load("main/make-app.js"), drover.load("config/load-options.js")]);
  return main.makeApp(config.loadOptions({ flags: { dataDir }, env: {} }), store);
}

let untouched;

/** When the first step of each cluster did its first thing: it asks the simulated cloud who was there before. */
async function noteFirstSteps(drover) {
  const { SimulatedCloud } = await drover.load("providers/simulated/cloud.js");
  const starts = new Map();
  untouched ??= SimulatedCloud.prototype.newestToken;
  const original = untouched;
  SimulatedCloud.prototype.newestToken = function noted(clusterId) {
    if (!starts.has(clusterId)) starts.set(clusterId, performance.now());
    return original.call(this, clusterId);
  };
  return starts;
}
