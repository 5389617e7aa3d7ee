/** @param {import("./cost.mjs").Cost} cost */
export function perStep({ seconds, clientCpu, serverCpu, walBytes }, steps) {
  return {
    "steps/s": steps / seconds,
    "client-µs/step": (clientCpu / steps) * 1e6,
    "server-µs/step": (serverCpu / steps) * 1e6,
    "wal-bytes/step": walBytes / steps,
  };
}

const DEADLINE_MS = 600_000;

/** A plan of the given steps; each names what it needs. Nothing is tried twice: a failure ends the benchmark. */
export function makePlan(drafts) {
  return {
    pipeline: "bench",
    specHash: "bench",
    change: "nothing",
    steps: drafts.map(({ id, name, needs = [], input = {} }) => ({
      ...{ id, name, needs, input },
      title: `Step ${id}`,
      host: "local",
      module: "bench",
      task: "bench",
      deadlineMs: DEADLINE_MS,
      retry: { attempts: 1, baseMs: 1, capMs: 1 },
      changes: [],
    })),
  };
}

/** One after the other. */
export const makeChain = (name, length) =>
  makePlan(
    Array.from({ length }, (_, number) => ({
      id: `step-${number}`,
      name,
      needs: number === 0 ? [] : [`step-${number - 1}`],
    })),
  );

/** Brings a plan into the journal of a claimed job and runs it to its end, as a worker does. */
export async function runWholePlan({ store, executePlan, claimed, plan, hash }) {
  const steps = await store.jobs.beginPlan(claimed.ref, {
    hash,
    body: plan,
    steps: plan.steps.map(({ id, name, title, host }) => ({ stepId: id, name, title, host })),
  });
  const { outcome, report } = await executePlan({ plan, hash, steps, claimed, signals: [], showProgress: () => {} });
  if (outcome.kind !== "done") throw new Error(`The plan ended as ${JSON.stringify(outcome)}.`);
  await store.jobs.finishJobs([{ ref: claimed.ref, state: "Succeeded", report }]);
}
