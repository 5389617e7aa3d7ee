import type { JobKind } from "@drover/contract";
import { assertPossible } from "../../src/app/declare-cluster.ts";
import { diffSpecs, jobKindOf } from "../../src/domain/spec-diff.ts";
import type { ClusterRecord, DeclareCluster, JobRecord } from "../../src/ports/store/index.ts";
import type { Simulation } from "./simulation.ts";

/** What users do to one cluster. Each change is made under a name of its own, so that the audit trail can be counted. */

export async function declare(
  simulation: Simulation,
  name: string,
  before: ClusterRecord | null,
  spec: ClusterRecord["spec"],
  rules: Pick<DeclareCluster, "expectedVersion"> = {},
): Promise<void> {
  const actor = simulation.nextUser();
  const made = before !== null && before.observedGeneration > 0;
  const jobKind: JobKind | null = made ? jobKindOf(diffSpecs(before.spec, spec)) : "create";
  const result = await simulation.change(actor, (store, once) =>
    store.desired.declareCluster({ name, spec, jobKind, actor, ...rules, ...once }),
  );
  const { cluster, job, outcome } = result;
  simulation.trace.write(actor.name, `declares ${name}: ${outcome}, generation ${cluster.generation}, ${job?.kind}`);
  if (outcome === "unchanged") return;
  const { id: clusterId, generation, specHash } = cluster;
  const revision = { clusterId, generation, specHash };
  simulation.acknowledged.push({ actor: actor.name, revision, ...(job === null ? {} : { jobId: job.id }) });
}

/** As the API does it: what can never be brought about is refused, and so is a change on top of what is outdated. */
export async function declareOnTop(
  simulation: Simulation,
  name: string,
  before: ClusterRecord | null,
  spec: ClusterRecord["spec"],
): Promise<void> {
  assertPossible({ name, spec }, before);
  await declare(simulation, name, before, spec, { expectedVersion: before?.version ?? null });
}

export async function deleteNamed(simulation: Simulation, name: string): Promise<void> {
  const actor = simulation.nextUser();
  const { outcome, job } = await simulation.change(actor, (store, once) =>
    store.desired.deleteCluster({ name, actor, ...once }),
  );
  simulation.trace.write(actor.name, `deletes ${name}: ${outcome}`);
  if (outcome !== "unchanged" && job !== null) simulation.acknowledged.push({ actor: actor.name, jobId: job.id });
}

/** Declares an earlier revision again, as a rollback does. */
export async function rollBack(simulation: Simulation, cluster: ClusterRecord): Promise<void> {
  const revisions = await simulation.ask((store) => store.read.listRevisions(cluster.id));
  const { spec } = simulation.random.pick(revisions);
  await declareOnTop(simulation, cluster.name, cluster, { ...spec, desiredState: "present" });
}

export async function setPaused(simulation: Simulation, cluster: ClusterRecord, paused: boolean): Promise<void> {
  const maintenance = { ...cluster.spec.maintenance, paused };
  await declareOnTop(simulation, cluster.name, cluster, { ...cluster.spec, maintenance });
}

export async function switchTo(
  simulation: Simulation,
  cluster: ClusterRecord,
  kind: "hibernate" | "wake",
): Promise<void> {
  await request(simulation, cluster, { kind, hibernated: kind === "hibernate" }, `asks for a ${kind} of`);
}

/** Puts a job in line that no change of the spec asks for. */
export async function request(
  simulation: Simulation,
  { name: clusterName }: ClusterRecord,
  work: { readonly kind: JobKind; readonly hibernated?: boolean },
  words: string,
): Promise<void> {
  const actor = simulation.nextUser();
  const job = await simulation.change(actor, (store, once) =>
    store.desired.requestJob({ clusterName, ...work, actor, ...once }),
  );
  simulation.trace.write(actor.name, `${words} ${clusterName}`);
  simulation.acknowledged.push({ actor: actor.name, jobId: job.id });
}

export async function cancel(
  simulation: Simulation,
  { id: jobId, kind, clusterName }: Pick<JobRecord, "id" | "kind" | "clusterName">,
  how: { readonly undo?: boolean } = {},
): Promise<void> {
  const actor = simulation.nextUser();
  const job = await simulation.change(actor, (store) => store.desired.cancelJob({ jobId, actor, ...how }));
  simulation.trace.write(actor.name, `cancels the ${kind} of ${clusterName}: ${job.state}`);
  if (job.cancelRequestedBy === actor.name) simulation.acknowledged.push({ actor: actor.name, jobId });
}

/** The newest job once more, as a user does who sees that it did not succeed. */
export async function retry(simulation: Simulation, cluster: ClusterRecord): Promise<void> {
  const page = await simulation.ask((store) => store.read.listJobs({ clusterId: cluster.id, limit: 1 }));
  const [last] = page.items;
  if (last === undefined || !ENDED_BADLY.has(last.state)) return;
  const kind = kindToRetry(cluster, last);
  await request(simulation, cluster, { kind }, `retries: ${kind} of`);
}

const ENDED_BADLY: ReadonlySet<string> = new Set(["Failed", "Canceled"]);

function kindToRetry({ desiredState, observedGeneration }: ClusterRecord, last: JobRecord): JobKind {
  if (desiredState === "absent") return "delete";
  if (last.kind !== "delete") return last.kind;
  return observedGeneration === 0 ? "create" : "repair";
}
