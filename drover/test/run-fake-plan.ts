import type { ClusterSpec } from "@drover/contract";
import type { PlanStep } from "../src/domain/plan.ts";
import { createLimits } from "../src/engine/limits.ts";
import type { PlanOutcome } from "../src/engine/plan-outcome.ts";
import { type RunPlanOptions, runPlan } from "../src/engine/run-plan.ts";
import { FakeEngineStore } from "./fake-engine-store.ts";
import { type FakeScript, FakeWorld } from "./fake-step.ts";
import { SimulatedTime } from "./simulated-time.ts";

/** One job over a world of fake steps, in simulated time. */
export class FakeJob {
  readonly time: SimulatedTime;
  readonly world: FakeWorld;
  readonly store: FakeEngineStore;
  readonly steps: readonly PlanStep[];

  constructor(
    steps: readonly PlanStep[],
    scripts: Readonly<Record<string, FakeScript>> = {},
    time = new SimulatedTime(),
  ) {
    this.time = time;
    this.steps = steps;
    this.world = new FakeWorld(time, scripts);
    this.store = new FakeEngineStore(time);
  }

  /** Begins or goes on. */
  start(rest: Partial<RunPlanOptions> = {}): Promise<PlanOutcome> {
    return runPlan({
      ref: this.store.ref,
      job: { number: 1, kind: "create", attempt: 1, workerId: "w1" },
      cluster: { id: "cluster-1", name: "dev", generation: 1, spec: {} as ClusterSpec, provider: "simulated" },
      plan: { pipeline: "create-cluster", specHash: "0".repeat(64), change: "in-place", steps: this.steps },
      records: this.store.beginPlan(this.steps),
      steps: this.world.registry,
      store: this.store,
      connect: () => Promise.reject(new Error("There is no host to connect to.")),
      limits: createLimits({ global: 1_000, perHost: 1_000, perProvider: 1_000 }),
      clock: this.time,
      timer: this.time,
      random: () => 0,
      ...rest,
    });
  }

  run(rest: Partial<RunPlanOptions> = {}): Promise<PlanOutcome> {
    return this.time.run(this.start(rest));
  }
}

/** The state of each step at the end. */
export function statesOf(outcome: PlanOutcome): Readonly<Record<string, string>> {
  return Object.fromEntries(outcome.steps.map(({ stepId, state }) => [stepId, state]));
}
