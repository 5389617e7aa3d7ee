import { join } from "node:path";
import { clusterName, declareFleet, makeSpec, WORKER } from "../fleet.mjs";
import { makeText } from "../live/lines.mjs";
import { makeRandomGraph } from "../random-graph.mjs";
import { makeRestingFleet, makeSimulatedSpec } from "../simulated-fleet.mjs";
import { makePlan } from "../steps.mjs";

const ACTOR = { type: "user", name: "bench" };
const HOUR_MS = 3_600_000;
const LOG_BATCH = 5_000;
/** Every so many clusters have a job under way. */
const LIVE_EVERY = 10;
const HOSTS = 50;

/**
 * Everything that the pages are measured with: a fleet at rest, of which every tenth has a job that waits; a job whose
 * steps fold into tasks, one whose steps do not, and one with a long log.
 *
 * @returns {Promise<Record<"folded" | "flat" | "long", string>>} the ids of the three
 */
export async function fillStore(drover, { folder, clusters, steps, lines, say = console.error }) {
  const store = await drover.openStore({ url: join(folder, "drover.db") });
  const spec = asDocument(makeSimulatedSpec);
  await makeRestingFleet(drover, { store, dataDir: folder, count: clusters, spec, say });
  const begin = performance.now();
  for (let number = 0; number < clusters; number += LIVE_EVERY) {
    await store.desired.requestJob({ clusterName: clusterName(number), kind: "repair", actor: ACTOR });
  }
  await declareFleet(store, { count: 3, from: clusters, spec: asDocument(makeSpec) });
  const [folded, flat, long] = await store.jobs.claimJobs(WORKER, { limit: 3, leaseMs: HOUR_MS });
  await beginPlan(store, folded.ref, makeFoldedPlan(steps));
  await beginPlan(store, flat.ref, makeFlatPlan(steps));
  await beginPlan(store, long.ref, makePlan([{ id: STEP, name: "bench" }]));
  for (let left = lines; left > 0; left -= LOG_BATCH) await store.jobs.appendLog(long.ref, makeLines(left));
  await store.close();
  say(`filled the store in ${((performance.now() - begin) / 1_000).toFixed(1)} s`);
  return { folded: folded.ref.jobId, flat: flat.ref.jobId, long: long.ref.jobId };
}

/** Documents that come through the API have this by default. */
const asDocument = (makeOne) => (number) => ({ ...makeOne(number), maintenance: {} });

const STEP = "install/node/run/node-1";

const makeLines = (left) =>
  Array.from({ length: Math.min(LOG_BATCH, left) }, () => ({
    ...{ stepId: STEP, host: "node-1", stream: "stdout" },
    text: makeText(),
  }));

/** As plans of large clusters are: each task on every host, and after the task before it on the same host. */
const makeFoldedPlan = (size) =>
  makePlan(
    Array.from({ length: size }, (_, number) => {
      const [task, host] = [Math.floor(number / HOSTS), number % HOSTS];
      const idOf = (one) => `kubernetes/task-${one}/run/node-${host}`;
      return { id: idOf(task), name: "bench", needs: task === 0 ? [] : [idOf(task - 1)] };
    }),
  );

/** The worst case: every step is a task of its own, so nothing can be folded. */
const makeFlatPlan = (size) =>
  makePlan(
    makeRandomGraph(size).map(({ id, needs }) => ({
      id: `bench/${id}/run/local`,
      name: "bench",
      needs: needs.map((need) => `bench/${need}/run/local`),
    })),
  );

async function beginPlan(store, ref, plan) {
  const steps = plan.steps.map(({ id, name, title, host }) => ({ stepId: id, name, title, host }));
  await store.jobs.beginPlan(ref, { hash: `bench-${ref.jobId}`, body: plan, steps });
}
