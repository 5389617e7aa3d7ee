import type { JobKind } from "@drover/contract";
import { onTestFinished } from "vitest";
import { planSteps } from "../../src/domain/pipeline.ts";
import type { PlanStep } from "../../src/domain/plan.ts";
import type { Sighting } from "../../src/domain/sighting.ts";
import type { ProviderCluster } from "../../src/ports/provider.ts";
import { type FakeK3dWorld, startFakeK3d } from "./world.ts";

const { signal } = new AbortController();

export async function open(): Promise<FakeK3dWorld> {
  const world = await startFakeK3d();
  onTestFinished(() => world.dispose());
  return world;
}

export async function look({ provider }: FakeK3dWorld, cluster: ProviderCluster): Promise<Sighting> {
  const [sighting] = await provider.observe([cluster], { signal, thorough: true });
  return sighting as Sighting;
}

export async function plan(world: FakeK3dWorld, cluster: ProviderCluster, kind: JobKind): Promise<readonly PlanStep[]> {
  const modules = world.provider.plan(cluster, { kind, observed: await look(world, cluster) });
  return planSteps({ name: kind, modules });
}

let jobs = 0;

export async function run(world: FakeK3dWorld, cluster: ProviderCluster, kind: JobKind, stop?: AbortSignal) {
  jobs += 1;
  const job = { jobId: `job-${jobs}`, kind, token: jobs, ...(stop === undefined ? {} : { signal: stop }) };
  return await world.bench.runSteps(cluster, await plan(world, cluster, kind), job);
}

/** Runs a job until k3d says its line of that number; answers whether it came so far. */
export async function killAt(
  world: FakeK3dWorld,
  cluster: ProviderCluster,
  kind: JobKind,
  number: number,
): Promise<boolean> {
  const stop = new AbortController();
  let lines = 0;
  world.onLine = () => {
    lines += 1;
    if (lines === number) stop.abort(new Error("killed"));
  };
  try {
    await run(world, cluster, kind, stop.signal);
    return false;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return true;
  } finally {
    world.onLine = () => {};
  }
}

export const inventory = ({ daemon }: FakeK3dWorld) => daemon.inventory().filter((line) => !/[0-9a-f]{64}/.test(line));
export const goneRows = ({ bench }: FakeK3dWorld) => bench.ledger.rows.filter(({ state }) => state !== "gone");
