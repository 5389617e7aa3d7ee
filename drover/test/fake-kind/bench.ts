import type { JobKind } from "@drover/contract";
import { planSteps } from "../../src/domain/pipeline.ts";
import type { PlanStep } from "../../src/domain/plan.ts";
import type { Sighting } from "../../src/domain/sighting.ts";
import { systemClock } from "../../src/ports/clock.ts";
import type { ProviderCluster } from "../../src/ports/provider.ts";
import { systemTimer } from "../../src/ports/timer.ts";
import { BenchLedger, type BenchRun, StepBench, type StepOutcome } from "../step-bench.ts";
import { type FakeKindWorld, startFakeKind } from "./world.ts";

/** Runs plans of the kind provider on a world of its own. */
export class KindBench {
  readonly world: FakeKindWorld;
  readonly steps: StepBench;
  #jobs = 0;

  constructor(world: FakeKindWorld) {
    this.world = world;
    const registry = new Map(world.provider.steps.map((step) => [step.name, step]));
    const connect = async () => world.connector;
    this.steps = new StepBench(registry, new BenchLedger(systemClock), systemTimer, connect);
  }

  static async open(faults: Readonly<Record<string, string>> = {}): Promise<KindBench> {
    return new KindBench(await startFakeKind(faults));
  }

  async look(cluster: ProviderCluster, thorough = true): Promise<Sighting> {
    const { signal } = new AbortController();
    const [sighting] = await this.world.provider.observe([cluster], { signal, thorough });
    return sighting as Sighting;
  }

  async plan(cluster: ProviderCluster, kind: JobKind): Promise<readonly PlanStep[]> {
    const observed = await this.look(cluster);
    return planSteps({ name: kind, modules: this.world.provider.plan(cluster, { kind, observed }) });
  }

  newRun(kind: JobKind, more: Partial<BenchRun> = {}): BenchRun {
    this.#jobs += 1;
    return { jobId: `job-${this.#jobs}`, kind, token: this.#jobs, ...more };
  }

  async run(
    cluster: ProviderCluster,
    kind: JobKind,
    more: Partial<BenchRun> = {},
  ): Promise<readonly Pick<StepOutcome, "name" | "state">[]> {
    const outcomes = await this.steps.runSteps(cluster, await this.plan(cluster, kind), this.newRun(kind, more));
    return outcomes.map(({ name, state }) => ({ name, state }));
  }

  /** What there is on the host, but for the network that all kind clusters share. */
  inventory(): readonly string[] {
    return this.world.daemon
      .inventory()
      .filter((line) => line !== "network kind" && line !== "network bridge")
      .map((line) => line.replace(/[0-9a-f]{64}/, "anonymous"));
  }

  dispose(): Promise<void> {
    return this.world.dispose();
  }
}
