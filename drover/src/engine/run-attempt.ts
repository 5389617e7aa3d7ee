import { isDroverError } from "@drover/contract";
import type { Json } from "../domain/plan.ts";
import { failpoint } from "../lib/failpoint.ts";
import type { JobError } from "../ports/store/index.ts";
import { AttemptWatch, DeadlinePassed, describe, timedOut } from "./attempt-watch.ts";
import { describeError, messageOf } from "./describe-error.ts";
import type { PlanEnvironment } from "./plan-environment.ts";
import { createContext, writeLog } from "./step-context.ts";
import type { StepEntry } from "./step-entry.ts";
import { CancelRequested, LeaseLost, WorkerStopping } from "./stop-reasons.ts";

export type AttemptEnd =
  | { readonly kind: "succeeded"; readonly result: Json }
  | { readonly kind: "skipped" }
  | { readonly kind: "failed"; readonly error: JobError; readonly final: boolean }
  | { readonly kind: "canceled"; readonly error: JobError }
  /** Stopped in the middle, so that somebody else goes on. */
  | { readonly kind: "interrupted" };

type Phase = "precheck" | "run" | "verify";

/** What came of the step's own code. */
type Settled =
  | { readonly kind: "as wanted" }
  | { readonly kind: "ran"; readonly result: unknown; readonly verified: boolean }
  | { readonly kind: "threw"; readonly thrown: unknown }
  | { readonly kind: "goes on"; readonly phase: Phase };

/** Runs a step once: precheck, run, verify. Always answers, at the latest a grace period after its deadline. */
export async function runAttempt(entry: StepEntry, env: PlanEnvironment): Promise<AttemptEnd> {
  const watch = new AttemptWatch(entry, env);
  try {
    return judge(await settle(entry, env, watch), entry, env, watch);
  } finally {
    watch.dispose();
  }
}

/**
 * Whether everything is as wanted after all, although the last attempt failed: things get made by commands that fail.
 * Whatever keeps us from seeing it counts as no.
 */
export async function lookAgain(entry: StepEntry, env: PlanEnvironment): Promise<boolean> {
  const watch = new AttemptWatch(entry, env);
  try {
    const context = createContext(entry, env, { signal: watch.signal, revoked: () => watch.revoked });
    return await Promise.race([entry.definition.precheck(context), watch.over.then(() => false)]);
  } catch {
    return false;
  } finally {
    watch.dispose();
  }
}

async function settle(entry: StepEntry, env: PlanEnvironment, watch: AttemptWatch): Promise<Settled> {
  let phase: Phase = "precheck";
  const work = perform(entry, env, watch, (next) => {
    phase = next;
  }).catch((thrown: unknown): Settled => ({ kind: "threw", thrown }));
  return await Promise.race([work, watch.over.then((): Settled => ({ kind: "goes on", phase }))]);
}

async function perform(
  entry: StepEntry,
  env: PlanEnvironment,
  watch: AttemptWatch,
  enter: (phase: Phase) => void,
): Promise<Settled> {
  const { definition } = entry;
  const revoked = (): boolean => watch.revoked;
  const context = createContext(entry, env, { signal: watch.signal, revoked });
  if (await definition.precheck(context)) return { kind: "as wanted" };
  watch.signal.throwIfAborted();
  enter("run");
  entry.ran = true;
  failpoint("engine.before-step-run");
  const result = await definition.run(context);
  failpoint("engine.after-step-run");
  enter("verify");
  // A run that came to its end is looked at even when it was told to stop meanwhile: it is recorded as what it is.
  const looking = createContext(entry, env, { signal: watch.lastSignal, revoked });
  const verified = definition.verify ? await definition.verify(looking) : await definition.precheck(looking);
  return { kind: "ran", result: result ?? null, verified };
}

function judge(settled: Settled, entry: StepEntry, env: PlanEnvironment, watch: AttemptWatch): AttemptEnd {
  const stepId = entry.step.id;
  switch (settled.kind) {
    case "as wanted":
      // After an attempt of ours that seemed to fail, it is this job that brought it about.
      return entry.ran ? { kind: "succeeded", result: null } : { kind: "skipped" };
    case "ran":
      if (settled.verified) return { kind: "succeeded", result: toJson(settled.result, entry, env) };
      if (watch.cause !== null) return stopped(entry, watch, "it did not come about");
      return fail("step-not-verified", `${describe(entry)} ran to its end, but it did not come about.`, stepId);
    case "threw": {
      if (isDroverError(settled.thrown, "lease-lost")) env.stop.trip(new LeaseLost());
      const failure = describeError(settled.thrown, stepId, env.mask);
      if (watch.cause !== null) return stopped(entry, watch, failure.error.message);
      return { kind: "failed", ...failure };
    }
    case "goes on":
      if (settled.phase === "verify") return stopped(entry, watch, "nobody could tell in time whether it came about");
      if (watch.cause instanceof WorkerStopping) return { kind: "interrupted" };
      return {
        ...fail("step-unstoppable", `${describe(entry)} does not stop: ${stopMessage(watch)}`, stepId),
        final: true,
      };
  }
}

function stopped(entry: StepEntry, watch: AttemptWatch, detail: string): AttemptEnd {
  const stepId = entry.step.id;
  if (watch.cause instanceof DeadlinePassed)
    return fail("step-timed-out", `${timedOut(entry)} Last: ${detail}`, stepId);
  if (watch.cause instanceof CancelRequested) {
    return {
      kind: "canceled",
      error: { code: "step-canceled", message: `${watch.cause.message} Last: ${detail}`, stepId },
    };
  }
  return { kind: "interrupted" };
}

function stopMessage(watch: AttemptWatch): string {
  const why = watch.cause instanceof DeadlinePassed ? "its deadline has passed" : "it was told to";
  return `${why}, and it goes on. Nobody waits for it any more, and nothing it still does will count.`;
}

function fail(code: string, message: string, stepId: string): AttemptEnd & { kind: "failed" } {
  return { kind: "failed", error: { code, message, stepId }, final: false };
}

/** Larger ones belong into the log. */
const LARGEST_RESULT = 1024 * 1024;

/** What a step returned, fit for the journal. Something that is no JSON, or too much of it, is left out. */
function toJson(result: unknown, entry: StepEntry, env: PlanEnvironment): Json {
  try {
    const text = JSON.stringify(result) ?? "null";
    if (text.length <= LARGEST_RESULT) return env.mask.maskJson(JSON.parse(text) as Json);
    writeLog(entry, env, `Its result of ${text.length} characters is too large to be kept.`, "drover");
  } catch (error) {
    writeLog(entry, env, `Its result cannot be kept: ${messageOf(error)}`, "drover");
  }
  return null;
}
