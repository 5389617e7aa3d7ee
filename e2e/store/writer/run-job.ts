import { setTimeout as sleep } from "node:timers/promises";
import type { ClaimedJob, StepRecord } from "../../../drover/src/ports/store/index.ts";
import type { Lane } from "./lane.ts";

const CLAIMED_AT_ONCE = 3;
export const LEASE_MS = 2_000;
const STEPS = ["prepare", "make", "check"];

export async function work(lane: Lane): Promise<void> {
  const limit = lane.random.between(1, CLAIMED_AT_ONCE);
  const claimed = await lane.attempt("claim", () =>
    lane.store.jobs.claimJobs(lane.worker, { limit, leaseMs: LEASE_MS }),
  );
  for (const { ref, takenOver } of claimed ?? []) lane.acknowledge({ op: "claim", ...ref, takenOver });
  await Promise.all((claimed ?? []).map((job) => runJob(lane, job)));
}

/** Ends early, without a word, whenever the store refuses something: then the lease runs out by itself. */
async function runJob(lane: Lane, claimed: ClaimedJob): Promise<void> {
  const { ref } = claimed;
  const planHash = `plan-${ref.jobId}`;
  const plan = {
    hash: planHash,
    body: { jobId: ref.jobId },
    steps: STEPS.map((name) => ({ stepId: name, name, title: name, host: "local" })),
  };
  const steps = await lane.attempt("plan", () => lane.store.jobs.beginPlan(ref, plan));
  if (steps === undefined) return;
  lane.acknowledge({ op: "plan", jobId: ref.jobId, planHash, stepIds: STEPS });
  for (const step of steps) {
    if (lane.random.chance(2)) return;
    if (step.state === "Succeeded") continue;
    if (!(await runStep(lane, claimed, step))) return;
  }
  await endJob(lane, claimed);
}

async function runStep(lane: Lane, claimed: ClaimedJob, { stepId }: StepRecord): Promise<boolean> {
  const { ref } = claimed;
  const save = async (state: "Running" | "Succeeded") => {
    const update = { stepId, state, attempt: ref.token, result: { token: ref.token } };
    const saved = await lane.attempt("step", async () => {
      await lane.store.jobs.saveSteps(ref, [update]);
      return true;
    });
    if (saved === true) lane.acknowledge({ op: "step", ...ref, stepId, state });
    return saved === true;
  };
  if (!(await save("Running"))) return false;
  if (!(await writeLog(lane, claimed, stepId))) return false;
  if (lane.random.chance(40) && !(await makeObject(lane, claimed, stepId))) return false;
  if (lane.random.chance(30)) await sleep(lane.random.below(15));
  return await save("Succeeded");
}

async function writeLog(lane: Lane, { ref }: ClaimedJob, stepId: string): Promise<boolean> {
  const texts = Array.from({ length: lane.random.between(1, 5) }, () => `line ${lane.fresh()}`);
  const lines = texts.map((text) => ({ stepId, host: "local", stream: "stdout" as const, text }));
  const last = await lane.attempt("log", () => lane.store.jobs.appendLog(ref, lines));
  if (last !== undefined) lane.acknowledge({ op: "log", jobId: ref.jobId, last, texts });
  return last !== undefined;
}

async function makeObject(lane: Lane, { ref, cluster, job }: ClaimedJob, stepId: string): Promise<boolean> {
  if (job.kind === "delete") return true;
  const thing = { system: "e2e", kind: "thing", ref: `${cluster.id}-${stepId}` };
  const object = await lane.attempt("intend", () => lane.store.jobs.recordIntended(ref, thing));
  if (object === undefined) return false;
  lane.acknowledge({ op: "object", id: object.id, state: "intended" });
  return await recordObject(lane, object.id, "present", () => lane.store.jobs.recordPresent(ref, object.id));
}

async function recordObject(
  lane: Lane,
  id: string,
  state: "present" | "gone",
  record: () => Promise<void>,
): Promise<boolean> {
  const recorded = await lane.attempt(state, async () => {
    await record();
    return true;
  });
  if (recorded === true) lane.acknowledge({ op: "object", id, state });
  return recorded === true;
}

async function endJob(lane: Lane, claimed: ClaimedJob): Promise<void> {
  const { ref, job } = claimed;
  const { jobId } = ref;
  if (job.kind === "delete") return await endDeletion(lane, claimed);
  const leases = await lane.attempt("renew", () => lane.store.jobs.renewLeases([ref], LEASE_MS));
  const lease = leases?.[0];
  if (lease === undefined) return;
  if (lane.random.chance(5)) {
    await lane.attempt("release", () => lane.store.jobs.releaseJobs([ref]));
    return;
  }
  if (lane.random.chance(8)) {
    const later = { delayMs: lane.random.below(500), error: { code: "e2e", message: "later" } };
    const postponed = await lane.attempt("postpone", async () => {
      await lane.store.jobs.postponeJob(ref, later);
      return true;
    });
    if (postponed === true) lane.acknowledge({ op: "postpone", jobId });
    return;
  }
  const state = lease.cancelRequested ? "Canceled" : lane.random.chance(15) ? "Failed" : "Succeeded";
  const ended = await lane.attempt("finish", () => lane.store.jobs.finishJobs([{ ref, state }]));
  if (ended?.length === 1) lane.acknowledge({ op: "finish", jobId, state });
}

async function endDeletion(lane: Lane, { ref, cluster }: ClaimedJob): Promise<void> {
  const objects = await lane.attempt("ledger", () => lane.store.read.listExternalObjects({ clusterId: cluster.id }));
  if (objects === undefined) return;
  for (const { id } of objects) {
    if (!(await recordObject(lane, id, "gone", () => lane.store.jobs.recordGone(ref, id)))) return;
  }
  const ended = await lane.attempt("gone", () => lane.store.jobs.finishDeletion(ref, { seen: "gone" }));
  if (ended !== undefined) lane.acknowledge({ op: "gone", jobId: ref.jobId, clusterId: cluster.id });
}
