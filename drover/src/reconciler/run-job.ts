import { isDroverError, type JobKind } from "@drover/contract";
import { decideRetry } from "../domain/backoff.ts";
import { cancelled, failed, finishedStateOf, isOutOfReach, type Outcome, stalled, waiting } from "../domain/outcome.ts";
import { bringsAbout, bringsItsPlan } from "../domain/phase.ts";
import type { ChangeClass, Json, Plan, RetryPolicy } from "../domain/plan.ts";
import { type Sighting, unseen } from "../domain/sighting.ts";
import { diffSpecs } from "../domain/spec-diff.ts";
import { CancelRequested, LeaseLost, WorkerStopping } from "../engine/stop-reasons.ts";
import { failpoint } from "../lib/failpoint.ts";
import type { Provider } from "../ports/provider.ts";
import type {
  ClaimedJob,
  ClusterRecord,
  JobProgress,
  StepRecord,
  Store,
  WorkerIdentity,
} from "../ports/store/index.ts";
import type { ProofOfAbsence } from "../steps/index.ts";
import { findProof, recordDeletion } from "./deletion-record.ts";
import { errorOf } from "./job-error.ts";
import type { KubeconfigKeeper } from "./kubeconfig-keeper.ts";
import { statusUpdate, toObservation } from "./look-round.ts";

export interface ExecutedPlan {
  readonly outcome: Outcome;
  readonly report: Json;
  /** What the steps left in the journal, by step id. */
  readonly results: Readonly<Record<string, Json>>;
}

/** Hands over what tells how far a job is. */
export type ShowProgress = (read: () => JobProgress) => void;

export interface RunJobDependencies {
  readonly store: Pick<Store, "jobs" | "read" | "observations">;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly worker: WorkerIdentity;
  readonly random: () => number;
  readonly retry: RetryPolicy;
  readonly expiryWarningMs: number;
  /** Does nothing but think. Throws a DroverError when there is no way from here to there. */
  readonly makePlan: (request: {
    kind: JobKind;
    cluster: ClusterRecord;
    provider: Provider;
    observed: Sighting;
    change: ChangeClass;
    consent: boolean;
  }) => { plan: Plan; hash: string };
  readonly executePlan: (run: {
    plan: Plan;
    hash: string;
    steps: readonly StepRecord[];
    claimed: ClaimedJob;
    signals: readonly AbortSignal[];
    showProgress: ShowProgress;
  }) => Promise<ExecutedPlan>;
  readonly kubeconfigs: Pick<KubeconfigKeeper, "keep">;
  readonly onEnded: (outcome: Outcome) => void;
}

interface Attempt {
  readonly outcome: Outcome;
  readonly report?: Json;
  /** For a deletion that came to its end. */
  readonly proof?: ProofOfAbsence | null;
}

/** Errors that trying again cannot mend: somebody has to change something first. */
const FINAL: ReadonlySet<string> = new Set([
  "plan-stale",
  "consent-required",
  "validation-failed",
  "change-forbidden",
  "job-kind-unsupported",
  "kubeconfig-refused",
  "credentials-refused",
  "secret-not-found",
  "node-not-found",
  "node-not-drained",
  "cluster-locked",
  "program-missing",
  "name-taken",
  "image-missing",
  "image-differs",
  "artifact-missing",
  "artifacts-denied",
  "artifacts-untrusted",
  "checksum-mismatch",
  "machine-taken",
  "machines-unfit",
  "machine-denied",
  "control-planes-lost",
  "backup-not-found",
  "backup-damaged",
  "backup-unfit",
  "encryption-keys-unknown",
]);

/**
 * Brings one cluster to one generation: observe, plan, execute, look again, say how it ended. May be called any number
 * of times for the same job, by any worker; the journal tells where to go on.
 */
export async function runJob(
  deps: RunJobDependencies,
  claimed: ClaimedJob,
  signals: readonly AbortSignal[],
  showProgress: ShowProgress,
): Promise<void> {
  const attempt = await tryJob(deps, claimed, signals, showProgress);
  if (attempt === null || isLetGo(signals, attempt.outcome)) return;
  try {
    await concludeJob(deps, claimed, attempt, signals);
    deps.onEnded(attempt.outcome);
  } catch (error) {
    if (!isDroverError(error, "lease-lost")) throw error;
  }
}

/** Whether somebody else is to say how the job ended. */
function isLetGo(signals: readonly AbortSignal[], outcome: Outcome): boolean {
  const reasons = signals.filter(({ aborted }) => aborted).map(({ reason }): unknown => reason);
  if (reasons.some((reason) => reason instanceof LeaseLost)) return true;
  return reasons.some((reason) => reason instanceof WorkerStopping) && outcome.kind !== "done";
}

/** Null when the job is no longer this worker's. */
async function tryJob(
  deps: RunJobDependencies,
  claimed: ClaimedJob,
  signals: readonly AbortSignal[],
  showProgress: ShowProgress,
): Promise<Attempt | null> {
  try {
    return await attemptJob(deps, claimed, signals, showProgress);
  } catch (error) {
    if (isDroverError(error, "lease-lost")) return null;
    const failure = { code: isDroverError(error) ? error.code : "internal", message: messageOf(error) };
    return { outcome: FINAL.has(failure.code) ? stalled(failure.message, failure.code) : failed(failure) };
  }
}

async function attemptJob(
  deps: RunJobDependencies,
  claimed: ClaimedJob,
  signals: readonly AbortSignal[],
  showProgress: ShowProgress,
): Promise<Attempt> {
  const { job, cluster, ref } = claimed;
  const provider = deps.providers.get(cluster.provider);
  if (provider === undefined) return { outcome: stalled(`This worker knows no provider "${cluster.provider}".`) };
  const begun = await loadBegunPlan(deps, claimed);
  if (begun !== null) return await execute(deps, claimed, begun, signals, showProgress);
  const canceled = signals.map(({ reason }): unknown => reason).find((reason) => reason instanceof CancelRequested);
  if (canceled !== undefined) return { outcome: cancelled(canceled.by) };
  if (bringsItsPlan(job.kind, job.planHash)) return await executeBrought(deps, claimed, signals, showProgress);
  const observed = await observeOne(provider, cluster, AbortSignal.any([...signals]));
  if (observed.presence === "unknown") return { outcome: waiting(0, `Nobody could look: ${observed.message}`) };
  const { plan, hash } = deps.makePlan({
    kind: job.kind,
    ...{ cluster, provider, observed },
    change: await changeSince(deps, cluster),
    // Whoever applied a plan was shown what it destroys.
    consent: job.planHash !== null,
  });
  return await execute(deps, claimed, await beginPlan(deps, ref, { plan, hash }), signals, showProgress);
}

/** The plan of such a job was made with it, whatever is seen: it alone says what to do, and with what. */
async function executeBrought(
  deps: RunJobDependencies,
  claimed: ClaimedJob,
  signals: readonly AbortSignal[],
  showProgress: ShowProgress,
): Promise<Attempt> {
  const { kind, planHash: hash } = claimed.job;
  const plan = hash === null ? null : ((await deps.store.read.getPlan(hash)) as unknown as Plan | null);
  if (plan === null || hash === null) return { outcome: stalled(`There is no plan for this ${kind}.`, "plan-invalid") };
  return await execute(deps, claimed, await beginPlan(deps, claimed.ref, { plan, hash }), signals, showProgress);
}

async function beginPlan(
  { store }: RunJobDependencies,
  ref: ClaimedJob["ref"],
  { plan, hash }: Pick<BegunPlan, "plan" | "hash">,
): Promise<BegunPlan> {
  failpoint("reconciler.before-plan-stored");
  const steps = await store.jobs.beginPlan(ref, {
    hash,
    body: plan as unknown as Json,
    steps: plan.steps.map(({ id, name, title, host }) => ({ stepId: id, name, title, host })),
  });
  failpoint("reconciler.after-plan-stored");
  return { plan, hash, steps };
}

/** How far the spec has moved since the generation that was last brought about. */
async function changeSince({ store }: RunJobDependencies, cluster: ClusterRecord): Promise<ChangeClass> {
  if (cluster.observedGeneration === 0 || cluster.observedGeneration === cluster.generation) return "nothing";
  const before = await store.read.getRevision(cluster.id, cluster.observedGeneration);
  return before === null ? "nothing" : diffSpecs(before.spec, cluster.spec).change;
}

interface BegunPlan {
  readonly plan: Plan;
  readonly hash: string;
  readonly steps: readonly StepRecord[];
}

/** A job that has begun goes on with the plan it began with. */
async function loadBegunPlan({ store }: RunJobDependencies, { job }: ClaimedJob): Promise<BegunPlan | null> {
  if (job.planHash === null) return null;
  const steps = await store.read.listSteps(job.id);
  const plan = steps.length === 0 ? null : await store.read.getPlan(job.planHash);
  return plan === null ? null : { plan: plan as unknown as Plan, hash: job.planHash, steps };
}

async function execute(
  deps: RunJobDependencies,
  claimed: ClaimedJob,
  begun: BegunPlan,
  signals: readonly AbortSignal[],
  showProgress: ShowProgress,
): Promise<Attempt> {
  const { outcome, report, results } = await deps.executePlan({ ...begun, claimed, signals, showProgress });
  return { outcome: settleFinal(outcome), report, proof: findProof(begun.plan, results) };
}

const settleFinal = (outcome: Outcome): Outcome =>
  outcome.kind === "failed" && FINAL.has(outcome.error.code)
    ? stalled(outcome.error.message, outcome.error.code)
    : outcome;

async function concludeJob(
  deps: RunJobDependencies,
  claimed: ClaimedJob,
  { outcome, report = null, proof = null }: Attempt,
  signals: readonly AbortSignal[],
): Promise<void> {
  const { ref, job } = claimed;
  failpoint("reconciler.before-outcome-stored");
  const record = job.kind === "delete" ? await recordDeletion(deps.store, claimed, outcome, proof) : null;
  if (record !== null) {
    await deps.store.jobs.finishDeletion(ref, record);
    failpoint("reconciler.after-deletion-stored");
    return;
  }
  if (outcome.kind === "done") {
    await saveSighting(deps, claimed, signals);
    failpoint("reconciler.after-status-stored");
    await deps.kubeconfigs.keep(claimed.cluster, AbortSignal.any([...signals]));
  }
  const error = errorOf(outcome);
  if (outcome.kind === "waiting" || outcome.kind === "failed") {
    const failures = isOutOfReach(outcome) ? Math.min(job.failures + 1, deps.retry.attempts - 1) : job.failures + 1;
    const retry = decideRetry(deps.retry, failures, deps.random);
    if (retry.kind === "retry") {
      const delayMs = outcome.kind === "waiting" ? Math.max(outcome.afterMs, retry.delayMs) : retry.delayMs;
      await deps.store.jobs.postponeJob(ref, { delayMs, error: error ?? { code: "internal", message: "" } });
      failpoint("reconciler.after-postponed");
      return;
    }
  }
  await deps.store.jobs.finishJobs([{ ref, state: finishedStateOf(outcome) ?? "Failed", error, report }]);
  failpoint("reconciler.after-outcome-stored");
}

/** What the cluster looks like now that the job is done, written while the job is still held. */
async function saveSighting(
  deps: RunJobDependencies,
  claimed: ClaimedJob,
  signals: readonly AbortSignal[],
): Promise<void> {
  const { cluster, job, ref } = claimed;
  const provider = deps.providers.get(cluster.provider);
  if (provider === undefined) return;
  const now = await deps.store.observations.readTime();
  const signal = AbortSignal.any([...signals]);
  const sighting = await observeOne(provider, cluster, signal);
  // A look that was called off says nothing; the next one comes as soon as the job has ended.
  if (signal.aborted) return;
  const generation = bringsAbout(job.kind) ? job.generation : 0;
  const brought = { ...cluster, observedGeneration: Math.max(cluster.observedGeneration, generation) };
  const resting = { cluster: brought, stamp: 0, desiredState: cluster.desiredState, lastJob: null };
  const seen = { known: { resting, expiresAt: null }, sighting };
  await deps.store.observations.saveStatus(deps.worker, [statusUpdate(seen, now, deps.expiryWarningMs, null)], [ref]);
  await deps.store.observations.saveObservations(deps.worker, [toObservation(seen, now)], [ref]);
}

async function observeOne(provider: Provider, cluster: ClusterRecord, signal: AbortSignal): Promise<Sighting> {
  try {
    const [sighting] = await provider.observe([cluster], { signal, thorough: true });
    return sighting ?? unseen("The provider said nothing.");
  } catch (error) {
    return unseen(`Looking failed: ${messageOf(error)}`);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
