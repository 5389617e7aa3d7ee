import type { JobKind } from "@drover/contract";
import { describe, expect, test } from "vitest";
import { BenchLedger, type BenchRun, StepBench } from "../../test/step-bench.ts";
import type { AllocationPools } from "../domain/allocation.ts";
import { planSteps } from "../domain/pipeline.ts";
import type { PlanStep } from "../domain/plan.ts";
import type { Sighting } from "../domain/sighting.ts";
import { systemClock } from "./clock.ts";
import type { Connector } from "./connector.ts";
import type { Provider, ProviderCluster } from "./provider.ts";
import { systemTimer } from "./timer.ts";

/** A provider of its own for one test, on a target that nobody else uses. */
export interface ProviderWorld {
  readonly provider: Provider;
  /** A small cluster that the provider can make; `more` is the same with more nodes, `newer` with a newer Kubernetes. */
  cluster(name: string, variant?: "more" | "newer"): ProviderCluster;
  /** Everything that is there, by name, ours or not. For counting and comparing only. */
  inventory(): Promise<readonly string[]>;
  /** How steps reach machines; left out where they reach none. */
  connect?(host: string): Promise<Connector>;
  /** For providers that know what they have made from the ledger alone. */
  useLedger?(ledger: BenchLedger): void;
  /** What allocations are taken from, where somebody else on the same host takes from the usual ones. */
  readonly pools?: AllocationPools;
  /** Left out where two clusters of one name can be there: then nobody is in anybody's way. */
  readonly refusesForeignName?: boolean;
  /** Somebody else makes something that looks much like one of ours. */
  plantForeign(name: string): Promise<void>;
  /** From here on nothing can be looked at. */
  blind(): Promise<void>;
  dispose(): Promise<void>;
}

/** What the suite is run against. What a provider cannot do is left out by its capabilities, never by its id. */
export interface ProviderSubject {
  readonly name: string;
  /** Where each rule takes minutes: those that are tried, by their titles. All when left out. */
  readonly rules?: RegExp;
  create(): Promise<ProviderWorld>;
}

class Fleet {
  readonly world: ProviderWorld;
  readonly bench: StepBench;
  #jobs = 0;

  constructor(world: ProviderWorld) {
    this.world = world;
    const registry = new Map(world.provider.steps.map((step) => [step.name, step]));
    const ledger = new BenchLedger(systemClock, world.pools);
    world.useLedger?.(ledger);
    this.bench = new StepBench(registry, ledger, systemTimer, world.connect?.bind(world));
  }

  async look(cluster: ProviderCluster): Promise<Sighting> {
    const { signal } = new AbortController();
    const [sighting] = await this.world.provider.observe([cluster], { signal, thorough: true });
    return sighting as Sighting;
  }

  async plan(cluster: ProviderCluster, kind: JobKind): Promise<readonly PlanStep[]> {
    const modules = this.world.provider.plan(cluster, { kind, observed: await this.look(cluster) });
    return planSteps({ name: kind, modules });
  }

  newRun(kind: JobKind, more: Partial<BenchRun> = {}): BenchRun {
    this.#jobs += 1;
    return { jobId: `job-${this.#jobs}`, kind, token: this.#jobs, ...more };
  }

  async run(cluster: ProviderCluster, kind: JobKind, more: Partial<BenchRun> = {}) {
    return await this.bench.runSteps(cluster, await this.plan(cluster, kind), this.newRun(kind, more));
  }
}

type Rule = (title: string, check: (given: { readonly fleet: Fleet }) => Promise<void> | void) => void;

function it({ create, rules }: ProviderSubject): Rule {
  const withFleet = test.extend<{ fleet: Fleet }>({
    fleet: async ({ task: _ }, use) => {
      const world = await create();
      await use(new Fleet(world));
      await world.dispose();
    },
  });
  return (title, check) =>
    withFleet.skipIf(rules?.test(title) === false)(title, async ({ fleet }) => await check({ fleet }));
}

/** The rules of docs/contracts/provider.md, each by its number. */
export function describeProvider(subject: ProviderSubject): void {
  describe(`${subject.name} keeps the contract of a provider`, () => {
    describeLooking(it(subject));
    describePlanning(it(subject));
    describeSteps(it(subject));
    describeOwnership(it(subject));
  });
}

function describeLooking(it: Rule): void {
  it("P1: answers one sighting for each cluster, in order", async ({ fleet }) => {
    const clusters = ["one", "two", "three"].map((name) => fleet.world.cluster(name));
    await fleet.run(clusters[1] as ProviderCluster, "create");
    const { signal } = new AbortController();
    const seen = await fleet.world.provider.observe(clusters, { signal, thorough: false });
    expect(seen.map(({ presence }) => presence)).toEqual(["absent", "present", "absent"]);
    expect(await fleet.world.provider.observe([], { signal, thorough: false })).toEqual([]);
  });

  it("P2: says unknown, and never absent, when it cannot look, and does not throw", async ({ fleet }) => {
    const cluster = fleet.world.cluster("dev");
    await fleet.run(cluster, "create");
    await fleet.world.blind();
    const sighting = await fleet.look(cluster);
    expect(sighting.presence).toBe("unknown");
    expect(sighting.message).not.toBe("");
  });

  it("P2: says unknown when the look was called off", async ({ fleet }) => {
    const { provider } = fleet.world;
    const called = provider.observe([fleet.world.cluster("dev")], { signal: AbortSignal.abort(), thorough: true });
    expect((await called).map(({ presence }) => presence)).toEqual(["unknown"]);
  });

  it("P3: sees a cluster that was cut off in the middle as present and not complete", async ({ fleet }) => {
    const cluster = fleet.world.cluster("dev");
    const steps = await fleet.plan(cluster, "create");
    const run = fleet.newRun("create");
    for (const step of steps.slice(0, Math.ceil(steps.length / 2))) await fleet.bench.runStep(cluster, step, run);
    expect(await fleet.look(cluster)).toMatchObject({ presence: "present", complete: false });
  });

  it("P4: changes nothing by looking, listing or planning", async ({ fleet }) => {
    const cluster = fleet.world.cluster("dev");
    await fleet.run(cluster, "create");
    const before = await fleet.world.inventory();
    await fleet.look(cluster);
    await fleet.world.provider.list(new AbortController().signal);
    for (const kind of ["create", "update", "repair", "delete"] as const) await fleet.plan(cluster, kind);
    expect(await fleet.world.inventory()).toEqual(before);
  });
}

function describePlanning(it: Rule): void {
  it("P5: plans the same for the same, and data only", async ({ fleet }) => {
    const cluster = fleet.world.cluster("dev");
    const observed = await fleet.look(cluster);
    for (const kind of ["create", "delete", "repair"] as const) {
      const plan = fleet.world.provider.plan(cluster, { kind, observed });
      expect(
        fleet.world.provider.plan(structuredClone(cluster), { kind, observed: structuredClone(observed) }),
      ).toEqual(plan);
      expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    }
  });

  it("P6: names only steps that it brings, each once in a plan", async ({ fleet }) => {
    const cluster = fleet.world.cluster("dev");
    const known = new Set(fleet.world.provider.steps.map(({ name }) => name));
    for (const kind of ["create", "update", "repair", "delete"] as const) {
      const steps = await fleet.plan(cluster, kind);
      expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
      expect(steps.filter(({ name }) => !known.has(name))).toEqual([]);
    }
  });
}

function describeSteps(it: Rule): void {
  it("P7: creates what is then seen, and removes it so that nothing is seen", async ({ fleet }) => {
    const cluster = fleet.world.cluster("dev");
    const empty = await fleet.world.inventory();
    await fleet.run(cluster, "create");
    expect(await fleet.look(cluster)).toMatchObject({
      presence: "present",
      complete: true,
      reachable: true,
      drift: [],
    });
    expect(fleet.bench.ledger.rows.map(({ state }) => state)).not.toContain("intended");
    expect(fleet.bench.ledger.rows.length).toBeGreaterThan(0);
    await fleet.run(cluster, "delete");
    expect((await fleet.look(cluster)).presence).toBe("absent");
    expect(await fleet.world.inventory()).toEqual(empty);
    expect(fleet.bench.ledger.rows.filter(({ state }) => state !== "gone")).toEqual([]);
  });

  it("P7: brings a change of nodes about, and back", async ({ fleet }) => {
    if (!fleet.world.provider.capabilities.changesNodesInPlace) return;
    const small = fleet.world.cluster("dev");
    const large = fleet.world.cluster("dev", "more");
    await fleet.run(small, "create");
    const before = await fleet.world.inventory();
    expect((await fleet.look(large)).drift).not.toEqual([]);
    await fleet.run(large, "update");
    expect(await fleet.look(large)).toMatchObject({ complete: true, drift: [] });
    await fleet.run(small, "update");
    expect(await fleet.look(small)).toMatchObject({ complete: true, drift: [] });
    expect(await fleet.world.inventory()).toEqual(before);
  });

  it("P7: brings an upgrade about", async ({ fleet }) => {
    if (!fleet.world.provider.capabilities.upgradesInPlace) return;
    const newer = fleet.world.cluster("dev", "newer");
    await fleet.run(fleet.world.cluster("dev"), "create");
    await fleet.run(newer, "upgrade");
    const { kubernetesVersion, drift } = await fleet.look(newer);
    expect([kubernetesVersion, drift]).toEqual([newer.spec.kubernetes?.version, []]);
  });

  it("P16: stops a cluster with all that it has, and starts the same one again", async ({ fleet }) => {
    if (!fleet.world.provider.capabilities.hibernates) return;
    const cluster = fleet.world.cluster("dev");
    await fleet.run(cluster, "create");
    const before = await fleet.world.inventory();
    await fleet.run(cluster, "hibernate");
    const asleep = await fleet.look(cluster);
    expect(asleep).toMatchObject({ presence: "present", complete: true, reachable: false, stopped: true, drift: [] });
    expect(await fleet.world.inventory()).toEqual(before);
    const { signal } = new AbortController();
    await expect(fleet.world.provider.kubeconfig(cluster, signal)).rejects.toMatchObject({ code: "cluster-not-ready" });
    await fleet.run(cluster, "wake");
    expect(await fleet.look(cluster)).toMatchObject({
      presence: "present",
      complete: true,
      reachable: true,
      drift: [],
    });
    expect((await fleet.look(cluster)).stopped ?? false).toBe(false);
    expect(await fleet.world.inventory()).toEqual(before);
  });

  it("P16: does to one that sleeps what is asked for, which wakes it, and deletes it as any other", async ({
    fleet,
  }) => {
    if (!fleet.world.provider.capabilities.hibernates) return;
    const cluster = fleet.world.cluster("dev");
    const empty = await fleet.world.inventory();
    await fleet.run(cluster, "create");
    await fleet.run(cluster, "hibernate");
    await fleet.run(cluster, "repair");
    expect(await fleet.look(cluster)).toMatchObject({ complete: true, reachable: true, drift: [] });
    await fleet.run(cluster, "hibernate");
    await fleet.run(cluster, "delete");
    expect((await fleet.look(cluster)).presence).toBe("absent");
    expect(await fleet.world.inventory()).toEqual(empty);
  });

  it("P8: skips every step the second time", async ({ fleet }) => {
    const cluster = fleet.world.cluster("dev");
    const sleep = fleet.world.provider.capabilities.hibernates ? (["hibernate", "wake"] as const) : [];
    for (const kind of ["create", ...sleep, "delete"] as const) {
      const steps = await fleet.plan(cluster, kind);
      const run = fleet.newRun(kind);
      await fleet.bench.runSteps(cluster, steps, run);
      const again = await fleet.bench.runSteps(cluster, steps, run);
      expect(again.filter(({ state }) => state !== "Skipped")).toEqual([]);
    }
  });

  it("P9: says in a preview what it would do, and does nothing", async ({ fleet }) => {
    const cluster = fleet.world.cluster("dev");
    const before = await fleet.world.inventory();
    await fleet.run(cluster, "create", { preview: true });
    expect(await fleet.world.inventory()).toEqual(before);
    expect(fleet.bench.ledger.rows).toEqual([]);
    expect(fleet.bench.changes.length).toBeGreaterThan(0);
  });

  it("P10: takes over what a creation that was cut off has left, with every job", async ({ fleet }) => {
    const cluster = fleet.world.cluster("dev");
    const steps = await fleet.plan(cluster, "create");
    const run = fleet.newRun("create");
    for (const step of steps) {
      await fleet.bench.runStep(cluster, step, run);
      if ((await fleet.look(cluster)).presence === "present") break;
    }
    const left = await fleet.world.inventory();
    await fleet.run(cluster, "create");
    const whole = await fleet.world.inventory();
    expect(left.filter((one) => !whole.includes(one))).toEqual([]);
    expect(new Set(whole).size).toBe(whole.length);
    expect(await fleet.look(cluster)).toMatchObject({ complete: true, drift: [] });
  });

  it("P11: takes back what a cancelled creation has made", async ({ fleet }) => {
    const cluster = fleet.world.cluster("dev");
    const empty = await fleet.world.inventory();
    const steps = await fleet.plan(cluster, "create");
    const run = fleet.newRun("create");
    await fleet.bench.runSteps(cluster, steps, run);
    await fleet.bench.undoSteps(cluster, steps, run);
    expect(await fleet.world.inventory()).toEqual(empty);
    expect(fleet.bench.ledger.rows.filter(({ state }) => state !== "gone")).toEqual([]);
  });
}

function describeOwnership(it: Rule): void {
  it("P12: lists everything that carries our mark, also when nobody knows of it any more", async ({ fleet }) => {
    const { provider } = fleet.world;
    const cluster = fleet.world.cluster("lost");
    await fleet.run(cluster, "create");
    const found = await provider.list(new AbortController().signal);
    expect(found.map(({ name, clusterId }) => [name, clusterId])).toEqual([[cluster.name, cluster.id]]);
    await fleet.run(cluster, "delete");
    expect(await provider.list(new AbortController().signal)).toEqual([]);
  });

  it("P13: neither takes for its own nor touches what others made, and lists it as theirs if at all", async ({
    fleet,
  }) => {
    const { provider } = fleet.world;
    const cluster = fleet.world.cluster("dev");
    await fleet.world.plantForeign("dev");
    const foreign = await fleet.world.inventory();
    expect((await fleet.look(cluster)).presence).toBe("absent");
    const found = await provider.list(new AbortController().signal);
    expect(found.filter(({ clusterId }) => clusterId !== null)).toEqual([]);
    const making = fleet.run(cluster, "create");
    if (fleet.world.refusesForeignName) {
      expect(found).toMatchObject([{ name: cluster.name }]);
      await expect(making).rejects.toMatchObject({ code: "name-taken" });
    } else await making;
    await fleet.run(cluster, "delete");
    expect(await fleet.world.inventory()).toEqual(foreign);
  });

  it("P14: has nothing against what it can make", ({ fleet }) => {
    for (const variant of [undefined, "more", "newer"] as const) {
      expect(fleet.world.provider.validate(fleet.world.cluster("dev", variant).spec)).toEqual([]);
    }
  });

  it("P15: hands out a kubeconfig of a cluster that answers, and of no other", async ({ fleet }) => {
    const cluster = fleet.world.cluster("dev");
    const { signal } = new AbortController();
    await expect(fleet.world.provider.kubeconfig(cluster, signal)).rejects.toMatchObject({ code: "cluster-not-ready" });
    await fleet.run(cluster, "create");
    expect(await fleet.world.provider.kubeconfig(cluster, signal)).toContain("kind: Config");
  });
}
