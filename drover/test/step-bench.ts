import { DroverError, type JobKind, type StepState } from "@drover/contract";
import {
  type Allocation,
  type AllocationPools,
  type AllocationWish,
  chooseAllocation,
} from "../src/domain/allocation.ts";
import type { BackupDrill } from "../src/domain/backup.ts";
import type { Json, PlanStep } from "../src/domain/plan.ts";
import type { Clock } from "../src/ports/clock.ts";
import type { ProviderCluster } from "../src/ports/provider.ts";
import type { Step, StepContext, StepRegistry } from "../src/ports/step.ts";
import {
  type BackupRecord,
  clusterSecretOwner,
  type ExternalObject,
  type MadeBackup,
  type MadeKubeconfig,
  waitingKubeconfig,
} from "../src/ports/store/index.ts";
import type { Timer } from "../src/ports/timer.ts";

/** Who runs steps, and how. */
export interface BenchRun {
  readonly jobId: string;
  readonly kind: JobKind;
  readonly token: number;
  readonly preview?: boolean;
  readonly signal?: AbortSignal;
  /** Called before and after everything that leaves the step: a place to be killed at. */
  readonly onPoint?: (point: string) => void;
}

export interface StepOutcome {
  readonly id: string;
  readonly name: string;
  readonly state: Extract<StepState, "Succeeded" | "Skipped">;
  readonly result: Json;
}

const BENCH_POOLS: AllocationPools = {
  ports: { from: 20_000, to: 29_999 },
  subnets: { pool: "10.210.0.0/16", prefix: 24 },
};

/** Drover's ledger of external objects as the store keeps it, for all clusters of a test. */
export class BenchLedger {
  readonly rows: ExternalObject[] = [];
  readonly allocations = new Map<string, readonly Allocation[]>();
  /** Those that wait for whoever asked for them. */
  readonly kubeconfigs: MadeKubeconfig[] = [];
  /** The ids of those that are of no use any more. */
  readonly revoked = new Set<string>();
  /** Secrets that steps keep, by cluster and name. */
  readonly secrets = new Map<string, Uint8Array>();
  /** Newest first. */
  readonly backups: BackupRecord[] = [];
  readonly #newest = new Map<string, number>();
  readonly #clock: Clock;
  readonly #pools: AllocationPools;

  constructor(clock: Clock, pools: AllocationPools = BENCH_POOLS) {
    this.#clock = clock;
    this.#pools = pools;
  }

  /** The store lets only the newest holder write. */
  admit(clusterId: string, token: number): void {
    const newest = this.#newest.get(clusterId) ?? 0;
    if (token < newest) throw new DroverError("lease-lost", `The token ${token} is stale.`);
    this.#newest.set(clusterId, token);
  }

  list(clusterId: string, { includeGone = false }: { includeGone?: boolean } = {}): readonly ExternalObject[] {
    return this.rows.filter((row) => row.clusterId === clusterId && (includeGone || row.state !== "gone"));
  }

  intend(clusterId: string, object: { system: string; kind: string; ref: string }): ExternalObject {
    const same = (row: ExternalObject) =>
      row.system === object.system && row.kind === object.kind && row.ref === object.ref && row.state !== "gone";
    const known = this.rows.find(same);
    if (known !== undefined && known.clusterId !== clusterId) {
      throw new DroverError("object-taken", `${object.kind} ${object.ref} belongs to ${known.clusterId}.`);
    }
    if (known !== undefined) return known;
    const at = this.#clock.now();
    const id = `row-${this.rows.length + 1}`;
    const row: ExternalObject = {
      id,
      clusterId,
      ...object,
      state: "intended",
      createdAt: at,
      seenAt: null,
      goneAt: null,
    };
    this.rows.push(row);
    return row;
  }

  /** As the store and the engine do it together: the first that neither a cluster nor the host has in use. */
  async reserve(
    clusterId: string,
    wish: AllocationWish,
    isFree: (value: string) => Promise<boolean>,
  ): Promise<Allocation> {
    const own = (this.allocations.get(clusterId) ?? []).filter(({ slot }) => slot !== wish.slot);
    const known = this.allocations.get(clusterId)?.find(({ slot }) => slot === wish.slot);
    if (known !== undefined && (await isFree(known.value))) return known;
    const taken = [...this.allocations.values()].flat();
    const ports = taken.map(({ value, protocol }) => ({ port: Number(value), protocol: protocol ?? "" }));
    const subnets = taken.filter(({ kind }) => kind === "subnet").map(({ value }) => value);
    for (;;) {
      const choice = chooseAllocation(wish, this.#pools, { ports, subnets });
      if (!choice.ok) throw new DroverError("allocation-exhausted", choice.message);
      const { slot, kind } = wish;
      const { value } = choice;
      const port = wish.kind === "port" ? wish : { protocol: null, containerPort: null };
      const made = { slot, kind, host: "h1", value, protocol: port.protocol, containerPort: port.containerPort };
      this.allocations.set(clusterId, [...own, made]);
      if (await isFree(value)) return made;
      ports.push({ port: Number(value), protocol: port.protocol ?? "" });
      subnets.push(value);
    }
  }

  keepOnly(clusterId: string, slots: readonly string[]): void {
    const kept = (this.allocations.get(clusterId) ?? []).filter(({ slot }) => slots.includes(slot));
    this.allocations.set(clusterId, kept);
  }

  keepKubeconfig(made: MadeKubeconfig): void {
    const others = this.kubeconfigs.filter(({ id }) => id !== made.id);
    this.kubeconfigs.splice(0, this.kubeconfigs.length, ...others, made);
  }

  keepBackup(clusterId: string, made: MadeBackup): void {
    if (this.backups.some(({ id }) => id === made.id)) return;
    this.backups.unshift({ ...made, clusterId, createdAt: this.#clock.now(), drill: null });
  }

  drilled(id: string, drill: BackupDrill): void {
    this.backups.splice(
      0,
      this.backups.length,
      ...this.backups.map((one) => (one.id === id ? { ...one, drill } : one)),
    );
  }

  forgetBackup(id: string): void {
    this.backups.splice(0, this.backups.length, ...this.backups.filter((one) => one.id !== id));
  }

  set(id: string, state: "present" | "gone"): void {
    const index = this.rows.findIndex((row) => row.id === id);
    const row = this.rows[index];
    if (row === undefined || row.state === "gone") return;
    const at = this.#clock.now();
    this.rows[index] = { ...row, state, ...(state === "gone" ? { goneAt: at } : { seenAt: at }) };
  }
}

const nobody = () => Promise.reject(new Error("There are no hosts on the bench."));

/**
 * Runs steps as the engine does, without its journal, so that every step is asked each time: what a crash before the
 * first journal entry would do.
 */
export class StepBench {
  readonly ledger: BenchLedger;
  /** What was announced through `change`, in order. */
  readonly changes: string[] = [];
  readonly registry: StepRegistry;
  readonly #timer: Timer;
  readonly #connect: StepContext["connect"];

  constructor(registry: StepRegistry, ledger: BenchLedger, timer: Timer, connect: StepContext["connect"] = nobody) {
    this.registry = registry;
    this.ledger = ledger;
    this.#timer = timer;
    this.#connect = connect;
  }

  async runSteps(cluster: ProviderCluster, steps: readonly PlanStep[], run: BenchRun): Promise<readonly StepOutcome[]> {
    const outcomes: StepOutcome[] = [];
    for (const step of steps) outcomes.push(await this.runStep(cluster, step, run));
    return outcomes;
  }

  async runStep(cluster: ProviderCluster, step: PlanStep, run: BenchRun): Promise<StepOutcome> {
    const definition = this.#find(step.name);
    return await this.#untilDeadline(step, run.signal, (signal) =>
      attempt(definition, step, this.contextOf(cluster, step, { ...run, signal }), run.preview ?? false),
    );
  }

  async undoSteps(cluster: ProviderCluster, steps: readonly PlanStep[], run: BenchRun): Promise<void> {
    for (const step of [...steps].reverse()) {
      await this.#untilDeadline(step, run.signal, async (signal) => {
        await this.#find(step.name).undo?.(this.contextOf(cluster, step, { ...run, signal }));
      });
    }
  }

  async #untilDeadline<T>(
    { title, deadlineMs }: PlanStep,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const late = new AbortController();
    const timeOut = new DroverError("step-timed-out", `${title} took too long.`);
    const callOff = this.#timer.after(deadlineMs, () => late.abort(timeOut));
    try {
      return await work(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]));
    } finally {
      callOff();
    }
  }

  contextOf(cluster: ProviderCluster, step: PlanStep, run: BenchRun): StepContext {
    const { ledger, changes } = this;
    const point = run.onPoint ?? (() => {});
    const write = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
      if (run.preview) throw new Error(`A preview wrote to the ledger: ${name}.`);
      point(`before ${name}`);
      ledger.admit(cluster.id, run.token);
      const answer = await work();
      point(`after ${name}`);
      return answer;
    };
    return {
      cluster,
      job: { id: run.jobId, kind: run.kind, attempt: 1, worker: "w1" },
      step,
      signal: run.signal ?? new AbortController().signal,
      idempotencyKey: `${run.jobId}/${step.id}`,
      fencingToken: run.token,
      log: () => {},
      mask: () => {},
      progress: () => {},
      change: async (_host, text, work) => {
        changes.push(text);
        if (run.preview) return;
        point("before change");
        await work();
        point("after change");
      },
      connect: this.#connect,
      readSecret: async (owner, name) => {
        const secret = ledger.secrets.get(`${owner}/${name}`);
        if (secret !== undefined) return secret;
        const kept = ledger.kubeconfigs.find(({ id }) => waitingKubeconfig(id) === name);
        return kept === undefined || owner !== clusterSecretOwner(cluster.id) ? null : Buffer.from(kept.text);
      },
      keepSecret: (name, value) =>
        write("keep secret", () => void ledger.secrets.set(`${clusterSecretOwner(cluster.id)}/${name}`, value)),
      kubeconfigs: {
        keep: (made) => write("keep kubeconfig", () => ledger.keepKubeconfig(made)),
        revoked: ({ id }) => write("revoke kubeconfig", () => void ledger.revoked.add(id)),
      },
      ledger: {
        intend: (object) => write("intend", () => ledger.intend(cluster.id, object)),
        present: (id) => write("present", () => ledger.set(id, "present")),
        gone: (id) => write("gone", () => ledger.set(id, "gone")),
        list: async (options) => ledger.list(cluster.id, options),
      },
      backups: {
        list: async () => ledger.backups.filter(({ clusterId }) => clusterId === cluster.id),
        keep: (made) => write("keep backup", () => ledger.keepBackup(cluster.id, made)),
        drilled: (id, drill) => write("drill", () => ledger.drilled(id, { ...drill, at: 1, jobId: run.jobId })),
        forget: (id) => write("forget backup", () => ledger.forgetBackup(id)),
      },
      allocations: {
        list: async () => ledger.allocations.get(cluster.id) ?? [],
        reserve: (wish, isFree) => write("reserve", async () => await ledger.reserve(cluster.id, wish, isFree)),
        keepOnly: (slots) => write("keep", () => ledger.keepOnly(cluster.id, slots)),
      },
    };
  }

  #find(name: string) {
    const definition = this.registry.get(name);
    if (definition === undefined) throw new Error(`The plan names a step that nobody knows: ${name}.`);
    return definition;
  }
}

async function attempt(step: Step, { id, name, title }: PlanStep, context: StepContext, preview: boolean) {
  if (await step.precheck(context)) return { id, name, state: "Skipped", result: null } as const;
  const result = (await step.run(context)) ?? null;
  if (!preview && !(await (step.verify ?? step.precheck)(context))) {
    throw new DroverError("step-not-verified", `${title} did not come about.`);
  }
  return { id, name, state: "Succeeded", result } as const;
}
