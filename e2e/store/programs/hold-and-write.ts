// A worker that holds a job, is stopped for longer than its lease, and then tries to go on as if nothing had happened.
import { isDroverError } from "@drover/contract";
import type { ClaimedJob, Store, WorkerIdentity } from "../../../drover/src/ports/store/index.ts";
import { connectToParent } from "../support/parent.ts";
import { openSharedStore } from "../support/store.ts";

export interface HolderInput {
  readonly url: string;
  readonly workerId: string;
  readonly leaseMs: number;
  /** How the one that takes over ends its turn. */
  readonly turn: "stopped" | "holds" | "finishes";
}

/** What the store said to one write: its error code, or what it answered. */
export interface Answer {
  readonly write: string;
  readonly said: string;
}

const STEP = "make";

async function claimOne(store: Store, worker: WorkerIdentity, leaseMs: number): Promise<ClaimedJob> {
  for (;;) {
    const [claimed] = await store.jobs.claimJobs(worker, { limit: 1, leaseMs });
    if (claimed !== undefined) return claimed;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Leaves a deletion with nothing in its way but the token. */
async function begin(store: Store, { ref, job }: ClaimedJob): Promise<string> {
  const steps = [{ stepId: STEP, name: STEP, title: "Make it", host: "local" }];
  await store.jobs.beginPlan(ref, { hash: "plan", body: {}, steps });
  await store.jobs.saveSteps(ref, [{ stepId: STEP, state: "Running", attempt: ref.token }]);
  await store.jobs.appendLog(ref, [{ stepId: STEP, host: "local", stream: "stdout", text: `begun ${ref.token}` }]);
  const { id } = await store.jobs.recordIntended(ref, { system: "e2e", kind: "thing", ref: "one" });
  if (job.kind === "delete") await store.jobs.recordGone(ref, id);
  return id;
}

/** Every write that a worker can make. */
async function tryEverything(
  store: Store,
  worker: WorkerIdentity,
  { ref, cluster }: ClaimedJob,
  objectId: string,
  seenAt: number,
): Promise<readonly Answer[]> {
  const { jobs, observations } = store;
  const look = { clusterId: cluster.id, seenAt, presence: "absent" as const };
  const writes: Readonly<Record<string, () => Promise<unknown>>> = {
    renewLeases: () => jobs.renewLeases([ref], 60_000),
    beginPlan: () => jobs.beginPlan(ref, { hash: "plan", body: {}, steps: [] }),
    saveSteps: () => jobs.saveSteps(ref, [{ stepId: STEP, state: "Failed", attempt: 99 }]),
    appendLog: () => jobs.appendLog(ref, [{ stepId: STEP, host: "local", stream: "stdout", text: "too late" }]),
    recordIntended: () => jobs.recordIntended(ref, { system: "e2e", kind: "thing", ref: "two" }),
    recordPresent: () => jobs.recordPresent(ref, objectId),
    recordGone: () => jobs.recordGone(ref, objectId),
    saveObservations: () => observations.saveObservations(worker, [{ ...look, source: "provider", body: {} }], [ref]),
    saveStatus: () => observations.saveStatus(worker, [{ ...look, conditions: [], error: "gone" }], [ref]),
    postponeJob: () => jobs.postponeJob(ref, { delayMs: 0, error: { code: "e2e", message: "later" } }),
    releaseJobs: () => jobs.releaseJobs([ref]),
    finishDeletion: () => jobs.finishDeletion(ref, {}),
    finishJobs: () => jobs.finishJobs([{ ref, state: "Failed" }]),
  };
  const answers: Answer[] = [];
  for (const [write, attempt] of Object.entries(writes)) {
    const said = await attempt().then(
      (answer) => JSON.stringify(answer) ?? "nothing",
      (error: unknown) => (isDroverError(error) ? error.code : String(error)),
    );
    answers.push({ write, said });
  }
  return answers;
}

const parent = connectToParent<HolderInput>();
const { url, workerId, leaseMs, turn } = parent.input;
const worker: WorkerIdentity = { id: workerId, host: "h1", providers: ["simulated"], hostBound: [] };
const store = await openSharedStore(url);
const seenAt = await store.observations.readTime();
const claimed = await claimOne(store, worker, leaseMs);
const objectId = await begin(store, claimed);
if (turn === "finishes") {
  await store.jobs.saveSteps(claimed.ref, [{ stepId: STEP, state: "Succeeded", attempt: claimed.ref.token }]);
  await store.jobs.recordPresent(claimed.ref, objectId);
  await store.jobs.finishJobs([{ ref: claimed.ref, state: "Succeeded" }]);
}
parent.say("holding", { ...claimed.ref, takenOver: claimed.takenOver });
await parent.told("go on");
if (turn === "stopped") parent.say("answers", await tryEverything(store, worker, claimed, objectId, seenAt));
await store.close();
parent.leave();
