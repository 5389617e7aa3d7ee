import { DroverError, isDroverError, type JobKind } from "@drover/contract";
import type { MadePlan } from "../../pipelines/make-plan.ts";
import type { ClusterRecord, JobRecord, Json } from "../../ports/store/index.ts";
import type { App, Request } from "../app.ts";
import { hasEnded, waitForJob, withPatience } from "../wait-for-job.ts";

export interface AccessJob {
  readonly kind: Extract<JobKind, "grant" | "revoke">;
  readonly made: MadePlan;
}

/** How long whoever asked is kept waiting before they are told to ask again. */
const PATIENCE_MS = 20_000;
const ASK_AGAIN_SECONDS = 1;
/** Somebody waits in front of a screen. */
const PRIORITY = 8;

/**
 * Has a worker do it and waits for the end. Answers the job that did it, which, for who asks again with the same
 * Idempotency-Key, is the one of the first time.
 */
export async function runAccessJob(
  app: App,
  cluster: ClusterRecord,
  work: AccessJob,
  request: Request & { readonly signal: AbortSignal },
): Promise<JobRecord> {
  const { signal: stop, ...who } = request;
  const ended = await withPatience(app, { patienceMs: PATIENCE_MS, signal: stop }, async (signal) => {
    await app.store.desired.savePlan({ hash: work.made.hash, body: work.made.plan as unknown as Json });
    return await waitForJob(app, (await putInLine(app, cluster, work, who, signal)).id, signal);
  });
  if (!hasEnded(ended)) throw pending(cluster.name, ended);
  if (ended.state !== "Succeeded") throw failed(cluster.name, ended);
  return ended;
}

/** Work of the same kind for others is over in a moment: it is waited for. Anything else that runs is told. */
async function putInLine(
  app: App,
  cluster: ClusterRecord,
  { kind, made }: AccessJob,
  who: Request,
  signal: AbortSignal,
): Promise<JobRecord> {
  for (;;) {
    try {
      const job = { kind, planHash: made.hash, priority: PRIORITY };
      return await app.store.desired.requestJob({ ...who, clusterName: cluster.name, ...job });
    } catch (error) {
      if (!isDroverError(error, "job-live") || signal.aborted) throw error;
      const { jobId, jobKind } = error.details;
      if (jobKind !== "grant" && jobKind !== "revoke") throw error;
      await waitForJob(app, String(jobId), signal);
    }
  }
}

function pending(name: string, { id: jobId, error }: JobRecord): DroverError {
  const why = error === null ? "" : ` ${error.message}`;
  return new DroverError(
    "kubeconfig-pending",
    `A worker is at work on the kubeconfig of the cluster "${name}".${why}`,
    {
      details: { jobId, retryAfterSeconds: ASK_AGAIN_SECONDS },
    },
  );
}

function failed(name: string, { id: jobId, error, state }: JobRecord): DroverError {
  const why = error?.message ?? `The job was ${state}.`;
  const details = { jobId, ...(error === null ? {} : { cause: error.code }) };
  return new DroverError("kubeconfig-failed", `Nothing came of the kubeconfig of the cluster "${name}": ${why}`, {
    details,
  });
}
