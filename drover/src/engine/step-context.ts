import { isDroverError } from "@drover/contract";
import { fencingTokenOf } from "../domain/fencing-token.ts";
import type { StepContext } from "../ports/step.ts";
import { guardConnector } from "./guard-connector.ts";
import type { PlanEnvironment } from "./plan-environment.ts";
import { secretsWithin } from "./secrets-within.ts";
import { createAllocations } from "./step-allocations.ts";
import type { StepEntry } from "./step-entry.ts";
import { LeaseLost } from "./stop-reasons.ts";

/** Whether what a step does through its context still counts. */
export interface ContextGuard {
  readonly signal: AbortSignal;
  /** The engine no longer waits for the step: nothing it does or says counts any more. */
  readonly revoked: () => boolean;
}

/**
 * What one attempt of a step may use. Once its signal has fired nothing new begins through it; once it is revoked
 * nothing at all happens through it.
 */
export function createContext(entry: StepEntry, env: PlanEnvironment, guard: ContextGuard): StepContext {
  const { signal } = guard;
  const { id, name, generation, spec } = env.cluster;
  return {
    cluster: { id, name, generation, spec },
    job: { id: env.ref.jobId, kind: env.job.kind, attempt: env.job.attempt, worker: env.job.workerId ?? "" },
    step: entry.step,
    signal,
    idempotencyKey: `${env.ref.jobId}/${entry.step.id}`,
    fencingToken: fencingTokenOf(env.job.number, env.ref.token),
    log: (text, stream = "stdout") => {
      if (!guard.revoked()) writeLog(entry, env, text, stream);
    },
    mask: (secret) => maskText(secret, env),
    progress: (percent) => {
      if (!guard.revoked()) env.progress.advance(entry.step.id, percent);
    },
    change: async (host, text, work) => {
      signal.throwIfAborted();
      writeLog(entry, env, host === entry.step.host ? text : `${host}: ${text}`, "drover");
      await work();
    },
    connect: async (host) => {
      signal.throwIfAborted();
      return guardConnector(await env.connect(host, env.cluster), signal, env);
    },
    readSecret: async (owner, secretName) => {
      signal.throwIfAborted();
      const secret = await env.store.secrets.getSecret(owner, secretName);
      if (secret !== null) maskBytes(secret, env);
      return secret;
    },
    keepSecret: async (secretName, value) => {
      maskBytes(value, env);
      await whileHeld(env, guard, () => env.store.jobs.keepSecret(env.ref, { name: secretName, value }));
    },
    ledger: createLedger(env, guard),
    kubeconfigs: {
      keep: (made) => whileHeld(env, guard, () => env.store.jobs.keepKubeconfig(env.ref, made)),
      revoked: (gone) => whileHeld(env, guard, () => env.store.jobs.recordRevoked(env.ref, gone)),
    },
    backups: {
      list: () => env.store.backups.listBackups(id),
      keep: (backup) => whileHeld(env, guard, () => env.store.jobs.keepBackup(env.ref, backup)),
      drilled: (backup, drill) => whileHeld(env, guard, () => env.store.jobs.recordDrill(env.ref, backup, drill)),
      forget: (backup) => whileHeld(env, guard, () => env.store.jobs.forgetBackup(env.ref, backup)),
    },
    allocations: createAllocations(env, guard, (write) => whileHeld(env, guard, write)),
  };
}

export function writeLog(
  entry: StepEntry,
  env: PlanEnvironment,
  text: string,
  stream: "stdout" | "stderr" | "drover",
): void {
  entry.log ??= env.log.open(entry.step.id, entry.step.host);
  entry.log.write(text, stream);
}

function createLedger(env: PlanEnvironment, guard: ContextGuard): StepContext["ledger"] {
  const { jobs, read } = env.store;
  return {
    intend: async (object) => {
      guard.signal.throwIfAborted();
      return await whileHeld(env, guard, () => jobs.recordIntended(env.ref, object));
    },
    present: (objectId) => whileHeld(env, guard, () => jobs.recordPresent(env.ref, objectId)),
    gone: (objectId) => whileHeld(env, guard, () => jobs.recordGone(env.ref, objectId)),
    list: (options = {}) => read.listExternalObjects({ clusterId: env.cluster.id, ...options }),
  };
}

/** What was made has to be written down even when the step is to stop; only a revoked step may write nothing. */
async function whileHeld<T>(env: PlanEnvironment, guard: ContextGuard, write: () => Promise<T>): Promise<T> {
  if (guard.revoked() || env.stop.isSilent) throw guard.signal.reason;
  try {
    return await write();
  } catch (error) {
    if (isDroverError(error, "lease-lost")) env.stop.trip(new LeaseLost());
    throw error;
  }
}

/** A secret that is text must not show up in the log; one that is not cannot. */
function maskBytes(secret: Uint8Array, env: PlanEnvironment): void {
  const text = new TextDecoder().decode(secret);
  if (!text.includes("\ufffd")) maskText(text, env);
}

function maskText(text: string, env: PlanEnvironment): void {
  for (const secret of secretsWithin(text)) env.mask.add(secret);
}
