import type { ClusterSpec, JobKind } from "@drover/contract";
import { onTestFinished } from "vitest";
import type { ClusterRecord, JobRecord, Store } from "../../src/ports/store/index.ts";
import { auditLedger } from "../../src/providers/simulated/audit-ledger.ts";
import type { Disturbance } from "../../src/providers/simulated/ledger.ts";
import type { WorldObject } from "../../src/providers/simulated/world-state.ts";
import { StoreNursery } from "../simulation/open-simulation-store.ts";
import { SeededRandom } from "../simulation/seeded-random.ts";
import { Simulation } from "../simulation/simulation.ts";

const actor = { type: "user", name: "ada" } as const;

/** Real workers on a real store and a simulated cloud, with time that a test lets pass. Nothing goes wrong by itself. */
export async function openWorld(): Promise<TestWorld> {
  const nursery = new StoreNursery();
  await nursery.prepare();
  const simulation = await Simulation.create(nursery, new SeededRandom(1), { story: "uniform" });
  onTestFinished(async () => {
    await simulation.dispose();
    nursery.dispose();
  });
  return new TestWorld(simulation);
}

export class TestWorld {
  readonly simulation: Simulation;

  constructor(simulation: Simulation) {
    this.simulation = simulation;
  }

  startWorker(special?: Parameters<Simulation["startWorker"]>[0]) {
    return this.simulation.startWorker(special);
  }

  ask<T>(work: (store: Store) => Promise<T>): Promise<T> {
    return this.simulation.ask(work);
  }

  async declare(name: string, spec: ClusterSpec, jobKind: JobKind = "create") {
    return await this.ask((store) => store.desired.declareCluster({ name, spec, jobKind, actor }));
  }

  async delete(name: string) {
    return await this.ask((store) => store.desired.deleteCluster({ name, actor }));
  }

  async cancel(jobId: string, options: { readonly undo?: boolean } = {}): Promise<JobRecord> {
    return await this.ask((store) => store.desired.cancelJob({ jobId, actor, ...options }));
  }

  async request(clusterName: string, kind: JobKind): Promise<JobRecord> {
    return await this.ask((store) => store.desired.requestJob({ clusterName, kind, actor }));
  }

  find(name: string): Promise<ClusterRecord | null> {
    return this.ask((store) => store.read.findCluster(name));
  }

  async cluster(name: string): Promise<ClusterRecord> {
    const found = await this.find(name);
    if (found === null) throw new Error(`There is no cluster ${name}.`);
    return found;
  }

  /** Newest first. */
  async jobs(name: string): Promise<readonly JobRecord[]> {
    const { id: clusterId } = await this.cluster(name);
    return (await this.ask((store) => store.read.listJobs({ clusterId, limit: 100 }))).items;
  }

  async lastJob(name: string): Promise<JobRecord> {
    const [last] = await this.jobs(name);
    if (last === undefined) throw new Error(`${name} has no job.`);
    return last;
  }

  /** What there is of a cluster in the cloud, whatever the store says. */
  objects(clusterId: string): readonly WorldObject[] {
    return this.simulation.world.read().clusters.get(clusterId)?.objects ?? [];
  }

  disturb({ id, name }: ClusterRecord, disturbance: Disturbance): void {
    const mark = { clusterId: id, clusterName: name, key: null, token: null };
    this.simulation.world.append([{ call: "disturb", operation: null, ...mark, input: { disturbance } }]);
  }

  pass(ms: number): Promise<void> {
    return this.simulation.time.pass(ms);
  }

  /** Lets time pass in small steps until something holds; fails when it does not within the time. */
  async until(what: () => Promise<boolean> | boolean, withinMs = 600_000, stepMs = 100): Promise<void> {
    const { time } = this.simulation;
    const deadline = time.monotonic() + withinMs;
    while (!(await what())) {
      if (time.monotonic() >= deadline) throw new Error(`It did not come about within ${withinMs / 1_000} s.`);
      await time.pass(stepMs);
    }
  }

  async untilPhase(name: string, phase: ClusterRecord["phase"], withinMs?: number): Promise<void> {
    await this.until(async () => (await this.find(name))?.phase === phase, withinMs);
  }

  async untilGone(name: string, withinMs?: number): Promise<void> {
    await this.until(async () => (await this.find(name)) === null, withinMs);
  }

  /** Everything that must never be found: two of a thing, writes and effects of whoever had lost the job. */
  wrongs(): readonly unknown[] {
    const { doubles, staleEffects } = auditLedger(this.simulation.world.records);
    return [...this.simulation.oracle.violations, ...doubles, ...staleEffects];
  }
}
