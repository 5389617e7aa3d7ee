import { isDroverError } from "@drover/contract";
import { decideRetry } from "../domain/backoff.ts";
import { failpoint } from "../lib/failpoint.ts";
import type { JobError } from "../ports/store/index.ts";
import { sleep } from "../ports/timer.ts";
import { AttemptWatch, describe, timedOut } from "./attempt-watch.ts";
import { describeError, type StepFailure } from "./describe-error.ts";
import type { PlanEnvironment } from "./plan-environment.ts";
import type { UndoResult } from "./plan-outcome.ts";
import { takeSlot } from "./run-step.ts";
import { createContext, writeLog } from "./step-context.ts";
import { mayHaveActed, type StepEntry } from "./step-entry.ts";
import { CancelRequested, LeaseLost } from "./stop-reasons.ts";

/**
 * Takes back what this job did, the last first, each after all that was built on it. One that cannot be taken back
 * holds up none of the others. Stops in the middle when the plan has to stop for more than the cancellation: whoever
 * goes on begins again, as undoing twice is undoing once.
 */
export async function undoSteps(entries: readonly StepEntry[], env: PlanEnvironment): Promise<readonly UndoResult[]> {
  const results: UndoResult[] = [];
  for (const entry of [...entries].reverse()) {
    if (entry.definition.undo === undefined || !mayHaveActed(entry, env.job)) continue;
    const error = await undoWithRetries(entry, env);
    if (env.stop.isSilent) break;
    const { id: stepId, title, host } = entry.step;
    // A step that does not stop may yet do what was just taken back.
    results.push({ stepId, title, host, error: error ?? unstoppable(entry) });
  }
  return results;
}

const unstoppable = ({ error }: StepEntry): JobError | null => (error?.code === "step-unstoppable" ? error : null);

/** As often as the step itself would be tried. Null when it is taken back. */
async function undoWithRetries(entry: StepEntry, env: PlanEnvironment): Promise<JobError | null> {
  for (let failures = 1; ; failures++) {
    const release = await takeSlot(entry, env, true);
    if (release === null) return null;
    let failure: StepFailure | null;
    try {
      failure = await undoStep(entry, env);
    } finally {
      release();
    }
    if (failure === null || env.stop.isSilent) return null;
    writeLog(entry, env, `It could not be taken back: ${failure.error.message}`, "drover");
    const decision = decideRetry(entry.step.retry, failures, env.random);
    if (!failure.final && decision.kind === "retry") await pause(decision.delayMs, env);
    await closeLog(entry, env);
    if (failure.final || decision.kind === "stalled") return failure.error;
  }
}

/** Once. What did not end within its deadline may still go on, and is not tried again. */
async function undoStep(entry: StepEntry, env: PlanEnvironment): Promise<StepFailure | null> {
  const watch = new AttemptWatch(entry, env, (reason) => !(reason instanceof CancelRequested));
  const context = createContext(entry, env, { signal: watch.signal, revoked: () => watch.revoked });
  let over = false;
  const gaveUp = watch.over.then(() => {
    over = true;
    throw watch.signal.reason ?? new Error(timedOut(entry));
  });
  writeLog(entry, env, `Taking back ${describe(entry)}`, "drover");
  failpoint("engine.before-undo");
  try {
    await Promise.race([entry.definition.undo?.(context), gaveUp]);
    failpoint("engine.after-undo");
    return null;
  } catch (thrown) {
    if (isDroverError(thrown, "lease-lost")) env.stop.trip(new LeaseLost());
    const failure = describeError(thrown, entry.step.id, env.mask);
    return { ...failure, final: failure.final || over };
  } finally {
    watch.dispose();
    await closeLog(entry, env);
  }
}

async function closeLog(entry: StepEntry, env: PlanEnvironment): Promise<void> {
  entry.log?.close();
  await env.log.flush();
}

/** Ends early only for something heavier than the cancellation. */
async function pause(ms: number, env: PlanEnvironment): Promise<void> {
  const waking = new AbortController();
  const unlisten = env.stop.listen(() => waking.abort());
  try {
    await sleep(env.timer, ms, waking.signal);
  } finally {
    unlisten();
  }
}
