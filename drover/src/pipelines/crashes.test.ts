import { isDroverError, type JobKind, SIMULATED_EFFECTS } from "@drover/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SimulatedBench, simulatedCluster, simulatedSpec } from "../../test/simulated-bench.ts";
import type { BenchRun } from "../../test/step-bench.ts";
import type { ProviderCluster } from "../ports/provider.ts";
import { sleep } from "../ports/timer.ts";

/* A process can end between any two things it does. Whoever goes on must find everything and make nothing twice. */

class Killed extends Error {}

const small = simulatedSpec({ controlPlanes: 1, workers: 2 });
const large = simulatedSpec({ controlPlanes: 3, workers: 1 }, { networking: { podSubnet: "10.99.0.0/16" } });
const newer = simulatedSpec({ controlPlanes: 1, workers: 2 }, { kubernetes: { version: "v1.36.1" } });
const older = simulatedSpec({ controlPlanes: 1, workers: 2 }, { kubernetes: { version: "v1.34.2" } });

interface Story {
  readonly title: string;
  /** Brought about before, without a crash. */
  readonly before: ProviderCluster | null;
  readonly kind: JobKind;
  readonly cluster: ProviderCluster;
}

const STORIES: readonly Story[] = [
  { title: "a creation", before: null, kind: "create", cluster: simulatedCluster("dev", small) },
  {
    title: "an update",
    before: simulatedCluster("dev", small),
    kind: "update",
    cluster: simulatedCluster("dev", large),
  },
  {
    title: "an upgrade",
    before: simulatedCluster("dev", older),
    kind: "upgrade",
    cluster: simulatedCluster("dev", newer),
  },
  {
    title: "a deletion",
    before: simulatedCluster("dev", small),
    kind: "delete",
    cluster: simulatedCluster("dev", small),
  },
];

async function begin({ before }: Story): Promise<SimulatedBench> {
  const bench = new SimulatedBench();
  if (before !== null) await bench.runJob(before, "create");
  return bench;
}

/** Runs a job and ends it at the n-th place where a process could end. Answers whether it got that far. */
async function runUntil(bench: SimulatedBench, story: Story, run: BenchRun, place: number): Promise<boolean> {
  let passed = 0;
  const pass = (): void => {
    passed += 1;
    if (passed === place) throw new Killed();
  };
  bench.world.onAppend = pass;
  try {
    await bench.runJob(story.cluster, story.kind, { ...run, onPoint: pass });
    return false;
  } catch (error) {
    if (error instanceof Killed) return true;
    throw error;
  } finally {
    bench.world.onAppend = () => {};
  }
}

async function expectAsDeclared(bench: SimulatedBench, { kind, cluster }: Story): Promise<void> {
  const sighting = await bench.look(cluster);
  const audit = bench.audit([cluster]);
  expect(audit.doubles).toEqual([]);
  expect(audit.staleEffects).toEqual([]);
  if (kind === "delete") {
    expect(sighting.presence).toBe("absent");
    expect(audit.clusters.get(cluster.id)?.live).toEqual([]);
    expect(bench.steps.ledger.rows.filter(({ state }) => state !== "gone")).toEqual([]);
    return;
  }
  expect(sighting).toMatchObject({ presence: "present", complete: true, reachable: true, drift: [] });
  const live = audit.clusters.get(cluster.id)?.live ?? [];
  const rows = bench.steps.ledger.rows.filter(({ state }) => state !== "gone");
  expect(rows.map(({ state }) => state)).toEqual(live.map(() => "present"));
}

describe.each(STORIES)("$title that is killed at every place in turn", (story) => {
  it("is finished by the next run of the same job, with nothing made twice and nothing left over", async () => {
    let places = 0;
    for (let place = 1; ; place += 1) {
      const bench = await begin(story);
      const run = bench.newJob(story.kind);
      if (!(await runUntil(bench, story, run, place))) break;
      places = place;
      await bench.runJob(story.cluster, story.kind, { ...run, token: run.token + 1 });
      await expectAsDeclared(bench, story);
    }
    expect(places).toBeGreaterThan(10);
  });

  it("is finished by a job of its own, which takes over what the killed one had begun", async () => {
    for (let place = 1; ; place += 1) {
      const bench = await begin(story);
      if (!(await runUntil(bench, story, bench.newJob(story.kind), place))) break;
      await bench.runJob(story.cluster, story.kind);
      await expectAsDeclared(bench, story);
    }
  });

  it("can be followed by a deletion that leaves nothing", async () => {
    for (let place = 1; ; place += 3) {
      const bench = await begin(story);
      if (!(await runUntil(bench, story, bench.newJob(story.kind), place))) break;
      await bench.runJob(story.cluster, "delete");
      await expectAsDeclared(bench, { ...story, kind: "delete" });
    }
  });
});

/* Several workers believe that a cluster is theirs, the cloud lies and fails, and processes die at random. */

interface Move {
  readonly kind: Extract<JobKind, "create" | "update" | "upgrade" | "repair" | "delete">;
  readonly workers: number;
  readonly version: string;
  /** The process dies there. */
  readonly place: number;
  /** After how long a second worker takes over while the first is still at it; null for none. */
  readonly rivalAfterMs: number | null;
  /** It is cancelled where it died, and what it made is taken back. */
  readonly cancelled: boolean;
}

const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom("create", "update", "upgrade", "repair", "delete"),
  workers: fc.nat(3),
  version: fc.constantFrom("v1.35.0", "v1.36.0"),
  place: fc.nat(60),
  rivalAfterMs: fc.option(fc.nat(60)),
  cancelled: fc.boolean(),
});

const fault = fc.record({
  operation: fc.constantFrom("create", "update", "upgrade", "delete", "observe", "any"),
  effect: fc.constantFrom(...SIMULATED_EFFECTS),
  percent: fc.integer({ min: 10, max: 60 }),
  times: fc.integer({ min: 1, max: 4 }),
} as const);

const story = fc.record({
  moves: fc.array(move, { minLength: 1, maxLength: 6 }),
  faults: fc.array(fault, { maxLength: 3 }),
  seed: fc.nat(1000),
});

type Told = typeof story extends fc.Arbitrary<infer T> ? T : never;

function clusterFor({ faults, seed }: Told, { workers, version }: Move): ProviderCluster {
  const latency = { minimumMs: 1, maximumMs: 20 };
  return simulatedCluster("dev", simulatedSpec({ workers, seed, faults, latency }, { kubernetes: { version } }));
}

/** Errors that a cloud or a death can cause; anything else is a fault of ours. */
function swallow(error: unknown): void {
  const expected = [
    ...(["step-failed", "step-not-verified", "lease-lost", "objects-remain", "change-forbidden"] as const),
    ...(["cluster-unseen", "step-timed-out"] as const),
  ];
  if (error instanceof Killed || expected.some((code) => isDroverError(error, code))) return;
  throw error;
}

async function play(bench: SimulatedBench, told: Told, one: Move): Promise<void> {
  const cluster = clusterFor(told, one);
  const run = bench.newJob(one.kind);
  let passed = 0;
  const onPoint = (): void => {
    passed += 1;
    if (passed === one.place) throw new Killed();
  };
  const attempt = async (more: Partial<BenchRun>): Promise<void> => {
    const { plan } = await bench.plan(cluster, one.kind);
    const whole = bench.steps.runSteps(cluster, plan.steps, { ...run, ...more }).catch(swallow);
    const takeOver = async (afterMs: number): Promise<void> => {
      await sleep(bench.time, afterMs);
      await bench.steps.runSteps(cluster, plan.steps, { ...run, token: run.token + 1 }).catch(swallow);
    };
    await bench.time.run(Promise.all([whole, one.rivalAfterMs === null ? null : takeOver(one.rivalAfterMs)]));
    if (!one.cancelled) return;
    const last = { ...run, token: run.token + 2 };
    await bench.time.run(bench.steps.undoSteps(cluster, plan.steps, last)).catch(swallow);
  };
  await attempt({ onPoint }).catch(swallow);
}

async function tell(told: Told, bench: SimulatedBench): Promise<void> {
  for (const one of told.moves) await play(bench, told, one);
}

describe("any sequence of jobs, deaths, rivals, cancellations and lies", () => {
  it("never makes anything twice, and can always be brought to what is declared and to nothing", async () => {
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        const bench = new SimulatedBench();
        await tell(told, bench);
        const last = told.moves.at(-1) as Move;
        const wanted = clusterFor({ ...told, faults: [] }, { ...last, version: "v1.36.0" });
        await bench.runJob(wanted, "repair");
        expect(await bench.look(wanted)).toMatchObject({ presence: "present", complete: true, drift: [] });
        const audit = bench.audit([wanted]);
        expect(audit.doubles).toEqual([]);
        expect(audit.staleEffects).toEqual([]);
        await bench.runJob(wanted, "delete");
        expect(bench.audit([wanted]).clusters.get(wanted.id)?.live).toEqual([]);
        expect(bench.steps.ledger.rows.every(({ state }) => state === "gone")).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ["forgets keys as well as tokens", { remembersKeys: false, refusesStaleTokens: false }, "doubles"],
    ["lets stale tokens in", { remembersKeys: true, refusesStaleTokens: false }, "staleEffects"],
  ] as const)("is found out when the cloud %s", async (_, rules, symptom) => {
    const caught = await fc.check(
      fc.asyncProperty(story, async (told) => {
        const bench = new SimulatedBench(rules);
        await tell(told, bench);
        return bench.audit()[symptom].length === 0;
      }),
      { numRuns: 500, endOnFailure: true },
    );
    expect(caught.failed).toBe(true);
  });
});
