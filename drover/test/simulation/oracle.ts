import { durationMilliseconds } from "@drover/contract";
import type { ClaimedJob, DeclareResult, JobRef, RequestJob, StepUpdate } from "../../src/ports/store/index.ts";

interface Holding {
  readonly clusterId: string;
  token: number;
  held: boolean;
  /** Whether its holder has seen the cluster, there or gone, since it took the job. */
  looked: boolean;
}

/** The calls whose first argument proves a claim. */
const NEEDS_REF: ReadonlySet<string> = new Set([
  "jobs.beginPlan",
  "jobs.saveSteps",
  "jobs.appendLog",
  "jobs.recordIntended",
  "jobs.recordPresent",
  "jobs.recordGone",
  "jobs.reserveAllocation",
  "jobs.keepAllocations",
  "jobs.postponeJob",
  "jobs.finishDeletion",
]);

/**
 * Watches what was committed, and knows by itself who holds which job: nothing in here asks the code that it judges.
 * Commits come in the order in which the store made them.
 */
export class Oracle {
  readonly #holdings = new Map<string, Holding>();
  readonly #doneSteps = new Map<string, string>();
  /** By worker and name of the cluster. */
  readonly #sightings = new Map<string, string>();
  readonly countObjects: (clusterId: string) => number;
  readonly latestTime: () => number;
  readonly violations: string[] = [];

  /** The latest time is that of the wall clock, whatever it was set back to since. */
  constructor(countObjects: (clusterId: string) => number, latestTime: () => number) {
    this.countObjects = countObjects;
    this.latestTime = latestTime;
  }

  /** Steps that were acknowledged as done, by job and step, with the state they ended in. */
  get doneSteps(): ReadonlyMap<string, string> {
    return this.#doneSteps;
  }

  sees(worker: string, cluster: { id: string; name: string }, presence: string): void {
    this.#sightings.set(`${worker} ${cluster.name}`, presence);
    if (presence === "unknown") return;
    for (const holding of this.#holdings.values()) if (holding.clusterId === cluster.id) holding.looked = true;
  }

  blame(rule: string, text: string): void {
    this.violations.push(`${rule}: ${text}`);
  }

  /**
   * The jobs that a call writes to although they are known, as it begins, to be somebody else's. Writes that are made
   * together are told of later than they were made: a job that was lost in between was held when it counted.
   */
  lostBefore(call: string, parameters: readonly unknown[]): ReadonlySet<string> {
    const refs = NEEDS_REF.has(call)
      ? [parameters[0] as JobRef]
      : call === "jobs.finishJobs"
        ? (parameters[0] as readonly { ref: JobRef }[]).map(({ ref }) => ref)
        : [];
    return new Set(refs.filter((ref) => !this.#holds(ref)).map(({ jobId }) => jobId));
  }

  #holds({ jobId, token }: JobRef): boolean {
    const known = this.#holdings.get(jobId);
    return known !== undefined && known.token === token && known.held;
  }

  committed(
    worker: string,
    call: string,
    parameters: readonly unknown[],
    answer: unknown,
    lost: ReadonlySet<string>,
  ): void {
    if (NEEDS_REF.has(call)) this.#checkRef(worker, call, parameters[0] as JobRef, lost);
    if (call === "jobs.beginPlan") this.#checkLooked(worker, parameters[0] as JobRef);
    if (call === "desired.requestJob") this.#checkRequest(worker, parameters[0] as RequestJob);
    if (call === "desired.deleteCluster") this.#checkOutlived(worker, answer as DeclareResult);
    if (call === "jobs.finishDeletion") this.#checkGone(worker, parameters[0] as JobRef);
    if (call === "jobs.claimJobs") for (const claimed of answer as readonly ClaimedJob[]) this.#claim(worker, claimed);
    if (call === "jobs.saveSteps") this.#journal(parameters[0] as JobRef, parameters[1] as readonly StepUpdate[]);
    if (call === "jobs.postponeJob" || call === "jobs.finishDeletion") this.#end(parameters[0] as JobRef);
    if (call === "jobs.finishJobs")
      this.#finish(worker, parameters[0] as readonly { ref: JobRef }[], answer as never, lost);
    if (call === "jobs.releaseJobs") for (const ref of parameters[0] as readonly JobRef[]) this.#release(ref);
  }

  #claim(worker: string, { ref, job }: ClaimedJob): void {
    const known = this.#holdings.get(ref.jobId);
    if (known !== undefined && known.token >= ref.token) {
      this.blame("I5", `${worker} was given job ${job.number} of ${job.clusterName} with a token that is not new`);
    }
    this.#holdings.set(ref.jobId, {
      clusterId: job.clusterId,
      token: ref.token,
      held: true,
      looked: false,
    });
  }

  #checkRef(worker: string, call: string, ref: JobRef, lost: ReadonlySet<string>): void {
    if (lost.has(ref.jobId)) {
      this.blame("I5", `${worker} wrote by ${call} to job ${ref.jobId} with token ${ref.token}, which it had lost`);
    }
  }

  #checkLooked(worker: string, { jobId, token }: JobRef): void {
    const known = this.#holdings.get(jobId);
    if (known?.token === token && !known.looked) {
      this.blame("unknown", `${worker} made a plan for job ${jobId} without having seen the cluster`);
    }
  }

  #checkRequest(worker: string, { clusterName, kind }: RequestJob): void {
    if (kind === "delete" || this.#sightings.get(`${worker} ${clusterName}`) !== "unknown") return;
    this.blame("unknown", `${worker} began a ${kind} of ${clusterName}, which it could not see`);
  }

  /** Workers delete only what was declared to end, and whose end has come. */
  #checkOutlived(worker: string, { outcome, cluster }: DeclareResult): void {
    const ttl = cluster.spec.maintenance?.ttl;
    const isOver = ttl !== undefined && cluster.createdAt + durationMilliseconds(ttl) <= this.latestTime();
    if (outcome !== "unchanged" && !isOver) {
      this.blame("I1", `${worker} deleted ${cluster.name}, whose time was not over`);
    }
  }

  #checkGone(worker: string, { jobId }: JobRef): void {
    const left = this.countObjects(this.#holdings.get(jobId)?.clusterId ?? "");
    if (left > 0) this.blame("I3", `${worker} ended the deletion of job ${jobId} while ${left} thing(s) were there`);
  }

  #journal({ jobId }: JobRef, updates: readonly StepUpdate[]): void {
    for (const { stepId, state } of updates) {
      const key = `${jobId} ${stepId}`;
      const done = this.#doneSteps.get(key);
      if (done !== undefined && state !== done) this.blame("journal", `${stepId} was ${done} and became ${state}`);
      if (state === "Succeeded" || state === "Skipped") this.#doneSteps.set(key, state);
    }
  }

  #finish(
    worker: string,
    finishes: readonly { ref: JobRef }[],
    ended: readonly { id: string }[],
    lost: ReadonlySet<string>,
  ): void {
    const ids = new Set(ended.map(({ id }) => id));
    for (const { ref } of finishes) {
      if (!ids.has(ref.jobId)) continue;
      this.#checkRef(worker, "jobs.finishJobs", ref, lost);
      this.#release(ref);
    }
  }

  #end({ jobId }: JobRef): void {
    const known = this.#holdings.get(jobId);
    if (known !== undefined) known.held = false;
  }

  #release(ref: JobRef): void {
    if (this.#holdings.get(ref.jobId)?.token === ref.token) this.#end(ref);
  }
}
