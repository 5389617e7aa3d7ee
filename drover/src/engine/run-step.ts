import { decideRetry } from "../domain/backoff.ts";
import type { JobError } from "../ports/store/index.ts";
import { sleep } from "../ports/timer.ts";
import type { Release } from "./limits.ts";
import type { PlanEnvironment } from "./plan-environment.ts";
import { type AttemptEnd, lookAgain, runAttempt } from "./run-attempt.ts";
import { writeLog } from "./step-context.ts";
import type { StepEntry } from "./step-entry.ts";

/** `null`: it did not come to its end, because the plan stops. */
export type StepEnd = Exclude<AttemptEnd, { kind: "interrupted" }> | null;

/** Runs a step with all its attempts. Holds a slot only while an attempt runs. */
export async function runStep(entry: StepEntry, env: PlanEnvironment): Promise<StepEnd> {
  for (;;) {
    const release = await takeSlot(entry, env);
    if (release === null) return null;
    let end: AttemptEnd;
    try {
      // Between the grant of the slot and this line the plan may have been stopped.
      if (env.stop.reason !== null) return null;
      begin(entry, env);
      end = await runAttempt(entry, env);
      const isLast = end.kind === "failed" && !end.final && entry.failures + 1 >= entry.step.retry.attempts;
      if (isLast && entry.ran && (await lookAgain(entry, env))) end = { kind: "succeeded", result: null };
    } finally {
      release();
    }
    if (env.stop.isSilent) return null;
    if (end.kind === "interrupted") return giveBack(entry, env);
    if (end.kind !== "failed") return end;
    entry.failures += 1;
    const decision = decideRetry(entry.step.retry, entry.failures, env.random);
    if (end.final || decision.kind === "stalled") {
      writeLog(entry, env, `It failed: ${end.error.message}`, "drover");
      return end;
    }
    await waitToRetry(entry, env, end.error, decision.delayMs);
    if (env.stop.reason !== null) return null;
  }
}

/** Waits for a slot; null when the plan stops before. */
export function takeSlot(entry: StepEntry, env: PlanEnvironment, evenWhenStopping = false): Promise<Release | null> {
  const stops = (): boolean => env.stop.isSilent || (env.stop.reason !== null && !evenWhenStopping);
  if (stops()) return Promise.resolve(null);
  return new Promise((resolve) => {
    const { step, definition, rank } = entry;
    const request = {
      owner: env.ref.jobId,
      host: step.host,
      provider: env.cluster.provider,
      light: definition.light ?? false,
      priority: rank,
    };
    const unlisten = env.stop.listen(() => {
      if (!stops()) return;
      withdraw();
      unlisten();
      resolve(null);
    });
    const withdraw = env.limits.ask(request, (release) => {
      unlisten();
      resolve(release);
    });
  });
}

function begin(entry: StepEntry, env: PlanEnvironment): void {
  entry.attempt += 1;
  entry.state = "Running";
  entry.startedAt = env.clock.now();
  env.progress.begin(entry.step.id, env.clock.monotonic());
  // Why it is tried again stays to be seen until that is over: a machine that is away takes each attempt long to tell.
  env.journal.note({ stepId: entry.step.id, state: "Running", attempt: entry.attempt, error: entry.error });
  entry.error = null;
}

/** An attempt that was stopped is not counted: whoever goes on makes it again. */
function giveBack(entry: StepEntry, env: PlanEnvironment): null {
  entry.attempt -= 1;
  entry.state = "Pending";
  env.journal.note({ stepId: entry.step.id, state: "Pending", attempt: entry.attempt, error: null });
  return null;
}

async function waitToRetry(entry: StepEntry, env: PlanEnvironment, error: JobError, delayMs: number): Promise<void> {
  const { step, attempt, failures } = entry;
  entry.state = "Pending";
  entry.error = error;
  writeLog(entry, env, `Attempt ${failures} of ${step.retry.attempts} failed: ${error.message}`, "drover");
  writeLog(entry, env, `The next one begins in ${(delayMs / 1000).toFixed(1)} s.`, "drover");
  env.journal.note({ stepId: step.id, state: "Pending", attempt, error });
  const waking = new AbortController();
  const unlisten = env.stop.listen(() => waking.abort());
  try {
    await sleep(env.timer, delayMs, waking.signal);
  } finally {
    unlisten();
  }
}
