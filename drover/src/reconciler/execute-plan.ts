import type { Json } from "../domain/plan.ts";
import { createLimits, type Limits } from "../engine/limits.ts";
import { buildReport } from "../engine/report.ts";
import { runPlan } from "../engine/run-plan.ts";
import { SecretMask } from "../lib/mask-secrets.ts";
import type { Clock } from "../ports/clock.ts";
import type { Connector } from "../ports/connector.ts";
import type { StepRegistry } from "../ports/step.ts";
import type { Store } from "../ports/store/index.ts";
import type { Timer } from "../ports/timer.ts";
import type { RunJobDependencies } from "./run-job.ts";

export interface ExecutionParts {
  readonly store: Store;
  readonly steps: StepRegistry;
  readonly connect: (host: string) => Promise<Connector>;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
  readonly limits?: Limits;
}

/** Hands plans to the engine. All plans of a process share one set of limits. */
export function makeExecutePlan(parts: ExecutionParts): RunJobDependencies["executePlan"] {
  const { store, steps, connect, clock, timer, random, limits = createLimits() } = parts;
  return async ({ plan, hash, steps: records, claimed, signals }) => {
    const { ref, job, cluster } = claimed;
    const mask = new SecretMask();
    const result = await runPlan({
      ...{ ref, job, cluster, plan, records, steps, store, connect, limits, clock, timer, random, signals, mask },
    });
    const report = buildReport({ job, plan, planHash: hash, result, mask }) as unknown as Json;
    const kept = result.steps.filter((step) => step.result !== null);
    return {
      outcome: result.outcome,
      report,
      results: Object.fromEntries(kept.map((step) => [step.stepId, step.result])),
    };
  };
}
