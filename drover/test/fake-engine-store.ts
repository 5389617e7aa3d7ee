import { DroverError } from "@drover/contract";
import { type Allocation, chooseAllocation } from "../src/domain/allocation.ts";
import type { PlanStep } from "../src/domain/plan.ts";
import type { EngineStore } from "../src/engine/plan-environment.ts";
import type {
  BackupRecord,
  ExternalObject,
  JobRef,
  LogLine,
  StepRecord,
  StepUpdate,
} from "../src/ports/store/index.ts";
import { sleep, type Timer } from "../src/ports/timer.ts";

/** What the engine needs of the store, in memory, with the rules of the real one. */
export class FakeEngineStore implements EngineStore {
  readonly ref: JobRef = { jobId: "job-1", token: 1 };
  /** The token that opens the job now: a greater one than the caller's means that another worker has it. */
  token = 1;
  /** How long a write takes. */
  latencyMs = 0;
  /** Thrown by the next writes, one each. */
  readonly failures: Error[] = [];
  /** Every write of the journal, in order. */
  readonly writes: (readonly StepUpdate[])[] = [];
  readonly log: Omit<LogLine, "line">[] = [];
  /** How many lines went with each write of the log. */
  readonly logWrites: number[] = [];
  readonly objects: ExternalObject[] = [];
  allocations: readonly Allocation[] = [];
  /** Texts of those that were made and not revoked, by their ids. */
  readonly kubeconfigs = new Map<string, string>();
  readonly secretValues = new Map<string, string>();
  /** Called after each write of the journal. */
  onWrite: () => void = () => {};
  readonly #time: Timer & { now(): number };
  #records: readonly StepRecord[] = [];

  constructor(time: Timer & { now(): number }) {
    this.#time = time;
  }

  get records(): readonly StepRecord[] {
    return this.#records;
  }

  beginPlan(steps: readonly PlanStep[]): readonly StepRecord[] {
    if (this.#records.length > 0) return this.#records;
    this.#records = steps.map(({ id, name, title, host }, position) => ({
      ...{ jobId: this.ref.jobId, stepId: id, position, name, title, host },
      ...{ state: "Pending", attempt: 0, startedAt: null, finishedAt: null, result: null, error: null },
    }));
    return this.#records;
  }

  stateOf(stepId: string): string | undefined {
    return this.#records.find((record) => record.stepId === stepId)?.state;
  }

  readonly jobs: EngineStore["jobs"] = {
    saveSteps: async (ref, updates) => {
      await this.#write(ref);
      this.writes.push(updates);
      this.#records = applyUpdates(this.#records, updates, this.#time.now());
      this.onWrite();
    },
    appendLog: async (ref, lines) => {
      await this.#write(ref);
      this.logWrites.push(lines.length);
      for (const line of lines) this.log.push({ at: 0, ...line });
      return this.log.length;
    },
    recordIntended: async (ref, object) => {
      await this.#write(ref);
      const made: ExternalObject = {
        ...{ id: `object-${this.objects.length + 1}`, clusterId: "cluster-1", ...object, state: "intended" },
        ...{ createdAt: this.#time.now(), seenAt: null, goneAt: null },
      };
      this.objects.push(made);
      return made;
    },
    recordPresent: (ref, id) => this.#mark(ref, id, "present"),
    recordGone: (ref, id) => this.#mark(ref, id, "gone"),
    reserveAllocation: async (ref, wish, { pools, except }) => {
      await this.#write(ref);
      const known = this.allocations.find(({ slot, value }) => slot === wish.slot && !except.includes(value));
      if (known !== undefined) return known;
      const ports = except.map((value) => ({ port: Number(value), protocol: "TCP" }));
      const choice = chooseAllocation(wish, pools, { ports, subnets: except });
      if (!choice.ok) throw new DroverError("allocation-exhausted", choice.message);
      const { slot, kind } = wish;
      const made: Allocation = { slot, kind, host: "h1", value: choice.value, protocol: null, containerPort: null };
      this.allocations = [...this.allocations.filter((one) => one.slot !== slot), made];
      return made;
    },
    keepAllocations: async (ref, slots) => {
      await this.#write(ref);
      this.allocations = this.allocations.filter(({ slot }) => slots.includes(slot));
    },
    keepKubeconfig: async (ref, { id, text }) => {
      await this.#write(ref);
      this.kubeconfigs.set(id, text);
    },
    recordRevoked: async (ref, { id }) => {
      await this.#write(ref);
      this.kubeconfigs.delete(id);
    },
    keepSecret: async (ref, { name, value }) => {
      await this.#write(ref);
      this.clusterSecrets.set(name, value);
    },
    keepBackup: async (ref, backup) => {
      await this.#write(ref);
      this.backupRecords.push({ ...backup, clusterId: "cluster-1", createdAt: this.#time.now(), drill: null });
    },
    recordDrill: async (ref, id, drill) => {
      await this.#write(ref);
      const index = this.backupRecords.findIndex((backup) => backup.id === id);
      const known = this.backupRecords[index];
      const told = { ...drill, at: this.#time.now(), jobId: ref.jobId };
      if (known !== undefined) this.backupRecords[index] = { ...known, drill: told };
    },
    forgetBackup: async (ref, id) => {
      await this.#write(ref);
      this.backupRecords = this.backupRecords.filter((backup) => backup.id !== id);
    },
  };

  readonly clusterSecrets = new Map<string, Uint8Array>();
  backupRecords: BackupRecord[] = [];
  readonly backups: EngineStore["backups"] = { listBackups: async () => this.backupRecords };

  readonly read: EngineStore["read"] = {
    listExternalObjects: async () => this.objects,
    listAllocations: async (ids) => new Map(ids.map((id) => [id, this.allocations])),
  };

  readonly secrets: EngineStore["secrets"] = {
    getSecret: async (owner, name) => {
      const value = this.secretValues.get(`${owner}/${name}`);
      return value === undefined ? null : new TextEncoder().encode(value);
    },
  };

  async #mark(ref: JobRef, id: string, state: ExternalObject["state"]): Promise<void> {
    await this.#write(ref);
    const index = this.objects.findIndex((object) => object.id === id);
    const object = this.objects[index];
    if (object !== undefined) this.objects[index] = { ...object, state };
  }

  async #write(ref: JobRef): Promise<void> {
    if (this.latencyMs > 0) await sleep(this.#time, this.latencyMs);
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    if (ref.token !== this.token) throw new DroverError("lease-lost", "Another worker has taken over.");
  }
}

/** As the store does it: what succeeded or was skipped stays so, and of one step the last update of a call counts. */
export function applyUpdates(
  records: readonly StepRecord[],
  updates: readonly StepUpdate[],
  now: number,
): readonly StepRecord[] {
  const changed = new Map(updates.map((update) => [update.stepId, update]));
  if (changed.size < updates.length) throw new Error("One write holds two updates of one step.");
  return records.map((record) => {
    const update = changed.get(record.stepId);
    if (update === undefined || record.state === "Succeeded" || record.state === "Skipped") return record;
    const over = update.state !== "Pending" && update.state !== "Running";
    return {
      ...record,
      state: update.state,
      attempt: update.attempt ?? record.attempt,
      startedAt: update.state === "Running" ? now : (record.startedAt ?? now),
      finishedAt: over ? now : null,
      result: update.result ?? record.result,
      error: update.error ?? null,
    };
  });
}
