import { type ClusterSpec, type JobKind, validateCluster } from "@drover/contract";
import { specHash } from "../src/domain/canonical.ts";
import type { ChangeClass } from "../src/domain/plan.ts";
import type { Sighting } from "../src/domain/sighting.ts";
import { sha256 } from "../src/lib/sha256.ts";
import { type MadePlan, makePlan } from "../src/pipelines/make-plan.ts";
import type { Provider, ProviderCluster } from "../src/ports/provider.ts";
import type { StepRegistry } from "../src/ports/step.ts";
import { makeProviders } from "../src/providers/index.ts";
import { auditLedger, type LedgerAudit } from "../src/providers/simulated/audit-ledger.ts";
import type { EntryDraft, LedgerRecord } from "../src/providers/simulated/ledger.ts";
import { MemoryWorld } from "../src/providers/simulated/memory-world.ts";
import type { World } from "../src/providers/simulated/world.ts";
import { STRICT, type WorldRules, type WorldState } from "../src/providers/simulated/world-state.ts";
import { registerSteps } from "../src/steps/index.ts";
import { SimulatedTime } from "./simulated-time.ts";
import { BenchLedger, type BenchRun, StepBench, type StepOutcome } from "./step-bench.ts";

export { REBOOT_MS } from "../src/providers/simulated/disturb.ts";
export type { Fault } from "../src/providers/simulated/ledger.ts";

type SimulatedInput = Partial<NonNullable<ClusterSpec["simulated"]>>;

/** A valid spec without latency. */
export function simulatedSpec(simulated: SimulatedInput = {}, rest: Record<string, unknown> = {}): ClusterSpec {
  const validation = validateCluster({
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name: "any" },
    spec: { provider: "simulated", simulated: { latency: { minimumMs: 0, maximumMs: 0 }, ...simulated }, ...rest },
  });
  if (!validation.ok) throw new Error(`no valid spec: ${JSON.stringify(validation.problems)}`);
  return validation.cluster.spec;
}

export function simulatedCluster(name: string, spec: ClusterSpec = simulatedSpec()): ProviderCluster {
  return { id: `id-of-${name}`, name, generation: 1, spec };
}

/** Passes everything on, and tells of every call after it took effect. */
class WatchedWorld implements World {
  readonly #world: World;
  onAppend: () => void = () => {};

  constructor(world: World) {
    this.#world = world;
  }

  read(): WorldState {
    return this.#world.read();
  }

  append(drafts: readonly EntryDraft[]): readonly LedgerRecord[] {
    const records = this.#world.append(drafts);
    if (drafts.length > 0) this.onAppend();
    return records;
  }

  close(): void {
    this.#world.close();
  }
}

/** The simulated provider with everything that uses it, and time that stands still unless it is run. */
export class SimulatedBench {
  readonly time = new SimulatedTime();
  readonly memory: MemoryWorld;
  readonly world: WatchedWorld;
  readonly provider: Provider;
  readonly registry: StepRegistry;
  readonly steps: StepBench;
  #jobs = 0;

  constructor(rules: WorldRules = STRICT) {
    this.memory = new MemoryWorld(this.time, rules);
    this.world = new WatchedWorld(this.memory);
    const all = makeProviders({ clock: this.time, timer: this.time, simulated: { world: this.world } });
    this.provider = all.get("simulated") as Provider;
    const providers = new Map([[this.provider.id, this.provider]]);
    this.registry = registerSteps({ providers, clock: this.time, timer: this.time });
    this.steps = new StepBench(this.registry, new BenchLedger(this.time), this.time);
  }

  get records(): readonly LedgerRecord[] {
    return this.memory.records;
  }

  audit(known?: readonly ProviderCluster[]): LedgerAudit {
    return auditLedger(this.records, known && new Set(known.map(({ id }) => id)));
  }

  async look(cluster: ProviderCluster): Promise<Sighting> {
    const { signal } = new AbortController();
    const [sighting] = await this.time.run(this.provider.observe([cluster], { signal, thorough: true }));
    return sighting as Sighting;
  }

  /** A job that nobody has run yet; later ones have larger tokens. */
  newJob(kind: JobKind): BenchRun {
    this.#jobs += 1;
    return { jobId: `job-${this.#jobs}`, kind, token: this.#jobs * 1_000 };
  }

  async plan(
    cluster: ProviderCluster,
    kind: JobKind,
    more: { change?: ChangeClass; consent?: boolean; observed?: Sighting } = {},
  ): Promise<MadePlan> {
    const observed = more.observed ?? (await this.look(cluster));
    const hash = specHash(cluster.spec, sha256);
    const { change = "in-place", consent = false } = more;
    return makePlan({ kind, cluster, specHash: hash, change, consent, provider: this.provider, observed });
  }

  /** Looks, plans and runs: one job from its beginning to its end. */
  async runJob(cluster: ProviderCluster, kind: JobKind, run: BenchRun = this.newJob(kind)) {
    const { plan } = await this.plan(cluster, kind);
    return await this.runSteps(cluster, plan.steps, run);
  }

  runSteps(cluster: ProviderCluster, steps: MadePlan["plan"]["steps"], run: BenchRun): Promise<readonly StepOutcome[]> {
    return this.time.run(this.steps.runSteps(cluster, steps, run));
  }

  /** Something happens without anybody having asked. */
  disturb({ id, name }: ProviderCluster, input: EntryDraft["input"]): void {
    const mark = { clusterId: id, clusterName: name, key: null, token: null };
    this.world.append([{ call: "disturb", operation: null, ...mark, input }]);
  }
}
