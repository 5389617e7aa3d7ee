import type { Condition, JobKind, Presence } from "@drover/contract";
import fc from "fast-check";
import { expect } from "vitest";
import { applyEvent, type Situation } from "../../domain/apply-event.ts";
import type { ClusterEvent } from "../../domain/cluster-events.ts";
import { phaseOf } from "../../domain/phase.ts";
import type { ClusterRecord, JobRecord, JobRef, Store, WorkerIdentity } from "./index.ts";
import {
  ada,
  expireLease,
  LEASE_MS,
  refusalOf,
  type StoreSubject,
  type StoreWorld,
  specWith,
  storeTest,
  workerAt,
} from "./world.conformance.ts";

/** How a running job of each kind ends, in the words of the domain. */
const ENDS: Readonly<Record<JobKind, { well: ClusterEvent; badly: ClusterEvent }>> = {
  create: { well: "createSucceeded", badly: "createFailed" },
  import: { well: "connected", badly: "connectFailed" },
  update: { well: "updateSucceeded", badly: "updateFailed" },
  upgrade: { well: "updateSucceeded", badly: "updateFailed" },
  repair: { well: "updateSucceeded", badly: "updateFailed" },
  restore: { well: "updateSucceeded", badly: "updateFailed" },
  renew: { well: "updateSucceeded", badly: "updateFailed" },
  wake: { well: "updateSucceeded", badly: "updateFailed" },
  hibernate: { well: "hibernated", badly: "hibernateFailed" },
  backup: { well: "backupEnded", badly: "backupEnded" },
  cordon: { well: "backupEnded", badly: "backupEnded" },
  uncordon: { well: "backupEnded", badly: "backupEnded" },
  drain: { well: "backupEnded", badly: "backupEnded" },
  grant: { well: "backupEnded", badly: "backupEnded" },
  revoke: { well: "backupEnded", badly: "backupEnded" },
  delete: { well: "deleted", badly: "deleteFailed" },
};

const MOVES = [
  ...["update", "upgrade", "repair", "hibernate", "wake", "retry", "cancel", "delete", "create"],
  ...["claimed", "claimed", "claimed", "claimed", "takenOver", "released", "postponed"],
  ...["end well", "end well", "end badly", "canceled"],
  ...["reachable", "unreachable", "observedAsleep", "observedAbsent", "observedUnknown"],
] as const;

/** One cluster of the store beside the domain's model of it. */
class Walk {
  readonly #world: StoreWorld;
  readonly #store: Store;
  readonly #name: string;
  readonly #worker: WorkerIdentity;
  #model: Situation | null = null;
  #held: JobRef = { jobId: "none", token: 1 };
  #workers = 1;
  #told: string[] = [];

  constructor(world: StoreWorld, number: number) {
    this.#world = world;
    this.#store = world.store;
    this.#name = `dev-${number}`;
    this.#worker = workerAt({ host: `h-${number}` });
  }

  async take(move: string): Promise<void> {
    const event = this.#translate(move);
    const applied = applyEvent(this.#model, event);
    this.#told.push(event);
    const act = this.#perform(event);
    if (applied.kind === "refused") expect(await refusalOf(act), this.#story()).toBe(applied.code);
    else await act;
    if (applied.kind === "applied") this.#model = applied.situation;
    await this.#compare();
  }

  #translate(move: string): ClusterEvent {
    const kind = this.#model?.liveJob?.kind ?? "create";
    if (move === "end well") return ENDS[kind].well;
    return move === "end badly" ? ENDS[kind].badly : (move as ClusterEvent);
  }

  #story = () => this.#told.join(" → ");
  #find = () => this.#store.read.findCluster(this.#name);

  async #jobs(of?: ClusterRecord | null): Promise<readonly JobRecord[]> {
    const cluster = of === undefined ? await this.#find() : of;
    return cluster === null ? [] : (await this.#store.read.listJobs({ clusterId: cluster.id, limit: 100 })).items;
  }

  async #compare(): Promise<void> {
    const cluster = await this.#find();
    expect(cluster?.phase ?? "Gone", this.#story()).toBe(this.#model === null ? "Gone" : phaseOf(this.#model));
    const live = (await this.#jobs(cluster))
      .filter(({ state }) => state === "Pending" || state === "Processing")
      .reverse();
    const told = live.map(({ kind, state, attempt }) => `${kind} ${state} ${attempt > 0 ? "begun" : "new"}`);
    const job = this.#model?.liveJob;
    const expected = job
      ? [`${job.kind} ${job.state} ${job.started || job.state === "Processing" ? "begun" : "new"}`]
      : [];
    if (this.#model?.nextJob) expected.push(`${this.#model.nextJob} Pending new`);
    expect(told, this.#story()).toEqual(expected);
  }

  async #perform(event: ClusterEvent): Promise<unknown> {
    const { desired, jobs } = this.#store;
    const ref = this.#held;
    switch (event) {
      case "create":
        return await desired.declareCluster({ ...this.#declaration("create"), expectedVersion: null });
      case "update":
      case "upgrade":
        this.#workers += 1;
        return await desired.declareCluster({
          ...this.#declaration(event),
          expectedVersion: (await this.#find())?.version ?? 1,
        });
      case "repair":
      case "backup":
      case "hibernate":
      case "wake":
        return await desired.requestJob({ clusterName: this.#name, kind: event, actor: ada });
      case "retry":
        return await this.#retry();
      case "cancel":
        return await desired.cancelJob({ jobId: await this.#jobToCancel(), actor: ada });
      case "delete":
        return await desired.deleteCluster({ name: this.#name, actor: ada });
      case "claimed":
        return await this.#claim(this.#worker);
      case "takenOver":
        await expireLease(this.#world, ref);
        return await this.#claim({ ...this.#worker, id: "w2" }, this.#model?.liveJob?.state === "Processing");
      case "released":
        return await jobs.releaseJobs([ref]);
      case "postponed":
        return await jobs.postponeJob(ref, { delayMs: 0, error: { code: "x", message: "later" } });
      case "reachable":
        return await this.#look("present", "True");
      case "unreachable":
        return await this.#look("present", "False");
      case "observedAsleep":
        return await this.#look("present", "False", "Hibernated");
      case "observedAbsent":
        return await this.#look("absent");
      case "observedUnknown":
        return await this.#look("unknown");
      default:
        return await this.#end(event);
    }
  }

  #declaration = (jobKind: JobKind) => ({
    name: this.#name,
    spec: specWith(this.#workers, { placement: { host: this.#worker.host } }),
    jobKind,
    actor: ada,
  });

  /** Where nothing is to be retried, nothing is asked for. */
  async #retry(): Promise<unknown> {
    const { desiredState, lastJob, presence, liveJob } = this.#model ?? {};
    const failed = lastJob && lastJob.state !== "Succeeded" ? lastJob.kind : null;
    const kind = desiredState === "absent" ? "delete" : failed === "delete" ? "repair" : failed;
    if (this.#model && !liveJob && kind === null && presence !== "absent") return undefined;
    return await this.#store.desired.requestJob({ clusterName: this.#name, kind: kind ?? "repair", actor: ada });
  }

  async #jobToCancel(): Promise<string> {
    const all = await this.#jobs();
    const oldest = all.filter(({ state }) => state === "Pending" || state === "Processing").at(-1);
    const ended = all.find(({ state }) => state === "Succeeded" || state === "Failed");
    if (this.#model !== null && oldest === undefined && ended === undefined) return await this.#refuseFinished();
    return oldest?.id ?? ended?.id ?? "none";
  }

  /** Every job there is was cancelled: to cancel one again is harmless, so another one that ended is needed. */
  async #refuseFinished(): Promise<never> {
    const { DroverError } = await import("@drover/contract");
    throw new DroverError("job-finished", "There is nothing to cancel.");
  }

  async #claim(worker: WorkerIdentity, takenOver = false): Promise<void> {
    const claimed = await this.#store.jobs.claimJobs(worker, { limit: 9, leaseMs: LEASE_MS });
    const waits = this.#model?.liveJob?.state === "Pending";
    expect(claimed.length, this.#story()).toBe(waits || takenOver ? 1 : 0);
    const first = claimed[0];
    if (first === undefined) return;
    expect(first.takenOver, this.#story()).toBe(takenOver);
    this.#held = first.ref;
    if (waits && worker.id === "w2") this.#model = { ...(this.#model as Situation), ...begun(this.#model) };
  }

  async #end(event: ClusterEvent): Promise<unknown> {
    const { jobs } = this.#store;
    const ref = this.#held;
    if (event === "deleted") return await jobs.finishDeletion(ref, {});
    const ends = {
      canceled: "Canceled",
      createSucceeded: "Succeeded",
      connected: "Succeeded",
      updateSucceeded: "Succeeded",
      hibernated: "Succeeded",
    };
    const state = (ends as Record<string, "Canceled" | "Succeeded">)[event] ?? "Failed";
    if (state === "Succeeded" && this.#model?.liveJob?.state === "Processing") {
      await (event === "hibernated" ? this.#look("present", "False", "Hibernated") : this.#look("present", "True"));
    }
    const ended = await jobs.finishJobs([{ ref, state }]);
    // A batch leaves out what is no longer the caller's; the model calls that by its name.
    if (ended.length === 0) await jobs.saveSteps(ref, [{ stepId: "none", state: "Running" }]);
    return ended;
  }

  async #look(presence: Presence, reachable?: Condition["status"], reason = "Probed"): Promise<void> {
    const clusterId = (await this.#find())?.id;
    if (clusterId === undefined) return;
    const more = { reason, message: "", observedGeneration: 1, lastTransitionTime: "2026-01-01T00:00:00Z" };
    const conditions = reachable === undefined ? [] : [{ type: "Reachable", status: reachable, ...more } as const];
    const seenAt = await this.#store.observations.readTime();
    const update = { clusterId, seenAt, presence, conditions, error: null };
    const taken = await this.#store.observations.saveStatus(this.#worker, [update], [this.#held]);
    expect(taken, this.#story()).toEqual([clusterId]);
  }
}

const begun = (model: Situation | null) =>
  model?.liveJob ? { liveJob: { ...model.liveJob, state: "Processing" as const, started: true } } : {};

export function describeModel(subject: StoreSubject): void {
  const it = storeTest(subject);

  it("goes the way that the domain's transition table goes", async ({ world }) => {
    let walks = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...MOVES), { minLength: 8, maxLength: 24 }), async (moves) => {
        const walk = new Walk(world, ++walks);
        for (const move of ["create", ...moves]) await walk.take(move);
      }),
      { numRuns: 15 },
    );
  });
}
