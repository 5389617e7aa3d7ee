import { failpoint } from "../lib/failpoint.ts";
import type { JobError } from "../ports/store/index.ts";
import { AttemptWatch, describe, timedOut } from "./attempt-watch.ts";
import { describeError } from "./describe-error.ts";
import type { PlanEnvironment } from "./plan-environment.ts";
import type { UndoResult } from "./plan-outcome.ts";
import { takeSlot } from "./run-step.ts";
import { createContext, writeLog } from "./step-context.ts";
import type { StepEntry } from "./step-entry.ts";
import { CancelRequested } from "./stop-reasons.ts";

/**
 * Takes back what this job did, the last first, each after all that was built on it. One that cannot be taken back
 * holds up none of the others. Stops in the middle when the plan has to stop for more than the cancellation: whoever
 * goes on begins again, as undoing twice is undoing once.
 */
export async function undoSteps(entries: readonly StepEntry[], env: PlanEnvironment): Promise<readonly UndoResult[]> {
  const results: UndoResult[] = [];
  for (const entry of [...entries].reverse()) {
    if (entry.state !== "Succeeded" || entry.definition.undo === undefined) continue;
    const release = await takeSlot(entry, env, true);
    if (release === null) break;
    try {
      const { id: stepId, title, host } = entry.step;
      results.push({ stepId, title, host, error: await undoStep(entry, env) });
    } finally {
      release();
    }
  }
  return results;
}

async function undoStep(entry: StepEntry, env: PlanEnvironment): Promise<JobError | null> {
  const watch = new AttemptWatch(entry, env, (reason) => !(reason instanceof CancelRequested));
  const context = createContext(entry, env, { signal: watch.signal, revoked: () => watch.revoked });
  const gaveUp = watch.over.then(() => {
    throw watch.signal.reason ?? new Error(timedOut(entry));
  });
  writeLog(entry, env, `Taking back ${describe(entry)}`, "drover");
  failpoint("engine.before-undo");
  try {
    await Promise.race([entry.definition.undo?.(context), gaveUp]);
    failpoint("engine.after-undo");
    return null;
  } catch (thrown) {
    const { error } = describeError(thrown, entry.step.id, env.mask);
    writeLog(entry, env, `It could not be taken back: ${error.message}`, "drover");
    return error;
  } finally {
    watch.dispose();
    entry.log?.close();
    await env.log.flush();
  }
}
