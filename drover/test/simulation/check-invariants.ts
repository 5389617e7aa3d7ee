import { durationMilliseconds } from "@drover/contract";
import type { ClusterRecord } from "../../src/ports/store/index.ts";
import { auditLedger } from "../../src/providers/simulated/audit-ledger.ts";
import { lookAt } from "../../src/providers/simulated/look.ts";
import type { Simulation } from "./simulation.ts";

/** What is wrong with each cluster that has not come to rest as declared, by name. */
export async function findUnsettled(simulation: Simulation): Promise<ReadonlyMap<string, string>> {
  const clusters = await listClusters(simulation);
  const live = new Map(
    simulation
      .query("select cluster_id, kind || ' ' || state as job from jobs where state in ('Pending', 'Processing')")
      .map((row) => [row["cluster_id"], String(row["job"])]),
  );
  const unsettled = new Map<string, string>();
  for (const cluster of clusters) {
    const job = live.get(cluster.id);
    const why = job === undefined ? whyUnsettled(simulation, cluster) : `its job is live: ${job}`;
    if (why !== null) unsettled.set(cluster.name, why);
  }
  return unsettled;
}

export async function listClusters(simulation: Simulation): Promise<readonly ClusterRecord[]> {
  return (await simulation.ask((store) => store.read.listClusters({ limit: 100 }))).items;
}

function whyUnsettled({ world, time }: Simulation, cluster: ClusterRecord): string | null {
  if (cluster.desiredState === "absent") return `it is ${cluster.phase} and not gone`;
  const sighting = lookAt(cluster, world.read().clusters.get(cluster.id), time.elsewhere.now());
  if (hasOutlived(cluster, time.now())) return "its time to live is over and it is not deleted";
  if (cluster.hibernated && sighting.stopped === true) {
    // What has changed meanwhile is for when it wakes.
    return cluster.phase === "Hibernated" ? null : `it sleeps, and its phase is ${cluster.phase}`;
  }
  const reportsOnly = cluster.spec.maintenance?.selfHeal === "report";
  if (cluster.observedGeneration !== cluster.generation) {
    return `generation ${cluster.observedGeneration} of ${cluster.generation} was brought about`;
  }
  const held = cluster.conditions.find(({ type, reason }) => type === "Stalled" && reason === "CircuitOpen");
  if (held !== undefined) return `repairs wait: ${held.message}`;
  if (!reportsOnly && (sighting.presence !== "present" || !sighting.complete)) return `seen: ${sighting.message}`;
  if (!reportsOnly && sighting.drift.length > 0) return `it differs in ${sighting.drift.map(({ path }) => path)}`;
  if (!reportsOnly && cluster.hibernated) return "it is to sleep";
  if (!reportsOnly && sighting.stopped === true) return "it is stopped";
  if (reportsOnly) return null;
  return cluster.phase === "Running" ? null : `its phase is ${cluster.phase}`;
}

/** Longer than it takes until somebody looks, even where the one who looked last died over it. */
const LATE_MS = 100_000;

function hasOutlived({ createdAt, spec }: ClusterRecord, now: number): boolean {
  const ttl = spec.maintenance?.ttl;
  return ttl !== undefined && now > createdAt + durationMilliseconds(ttl) + LATE_MS;
}

/** I4, first half: whoever waits for somebody says so, and why. */
export async function checkReasons(simulation: Simulation, unsettled: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, why] of unsettled) {
    const cluster = await simulation.ask((store) => store.read.findCluster(name));
    if (cluster === null) continue;
    const jobs = await simulation.ask((store) => store.read.listJobs({ clusterId: cluster.id, limit: 1 }));
    const [last] = jobs.items;
    const waits = last?.state === "Failed" || last?.state === "Canceled";
    if (!waits)
      simulation.oracle.blame("I4", `${name} is stuck: ${why}; its last job, ${last?.kind}, is ${last?.state}`);
    else if (last.state === "Failed" && (last.error?.message ?? "") === "") {
      simulation.oracle.blame("I4", `${name} gave up without a reason`);
    }
  }
}

/** Never two jobs of one cluster at once: asked again and again while the story goes on. */
export function checkOneJobAtOnce({ query, oracle }: Simulation): void {
  const doubles = query(
    "select cluster_id from jobs where state = 'Processing' group by cluster_id having count(*) > 1",
  );
  for (const row of doubles) oracle.blame("one job", `two jobs of ${String(row["cluster_id"])} run at once`);
}

/** I1, I2, I3, I5 and I6, of a world at rest. */
export async function checkAtRest(simulation: Simulation): Promise<void> {
  await checkDurable(simulation);
  await checkLedger(simulation);
  checkTakenBack(simulation);
  await checkAudit(simulation);
}

async function checkDurable({ acknowledged, oracle, query, store, time }: Simulation): Promise<void> {
  for (const { actor, revision, jobId } of acknowledged) {
    if (revision !== undefined) {
      const { clusterId, generation } = revision;
      const found = await time.hold(() => store.read.getRevision(clusterId, generation));
      if (found?.specHash !== revision.specHash)
        oracle.blame("I1", `generation ${generation} of ${actor} is not there`);
    }
    if (jobId !== undefined && (await time.hold(() => store.read.getJob(jobId))) === null) {
      oracle.blame("I1", `the job of ${actor} is not there`);
    }
  }
  const steps = new Map(
    query("select job_id || ' ' || step_id as step, state from job_steps").map((row) => [row["step"], row["state"]]),
  );
  for (const [step, state] of oracle.doneSteps) {
    if (steps.get(step) !== state) oracle.blame("I1", `step ${step} was ${state} and is ${String(steps.get(step))}`);
  }
}

async function checkLedger(simulation: Simulation): Promise<void> {
  const { oracle, world } = simulation;
  const known = new Set((await listClusters(simulation)).map(({ id }) => id));
  const { doubles, orphans, staleEffects, clusters } = auditLedger(world.records, known);
  for (const { kind, name, line } of doubles) oracle.blame("I2", `two of ${kind} ${name} since line ${line}`);
  for (const { clusterName, live } of clusters.values()) {
    const count = live.filter(({ kind }) => kind === "cluster").length;
    if (count > 1) oracle.blame("I2", `${count} clusters of ${clusterName}`);
  }
  for (const { kind, name } of orphans) oracle.blame("I3", `${kind} ${name} belongs to nobody`);
  for (const { call, number } of staleEffects) oracle.blame("I5", `${call} in line ${number} came with a stale token`);
}

/** I3: a cancelled job that says it did nothing, or took back what it made, has left nothing of it. */
function checkTakenBack({ oracle, query, world }: Simulation): void {
  const jobs = query(`select id, json_extract(error, '$.code') as code from jobs
    where state = 'Canceled' and json_extract(error, '$.code') in ('job-taken-back', 'job-canceled')`);
  const claims = new Map(
    jobs.map((row) => [row["id"], row["code"] === "job-taken-back" ? "taken back" : "never made"]),
  );
  for (const { objects } of world.read().clusters.values()) {
    for (const { kind, name, key } of objects) {
      const claim = claims.get(key?.split("/")[0]);
      if (claim !== undefined) oracle.blame("I3", `${kind} ${name} is there, though it was ${claim}`);
    }
  }
}

async function checkAudit({ acknowledged, doubtful, oracle, query, store, time }: Simulation): Promise<void> {
  const verdict = await time.hold(() => store.audit.verifyAudit());
  if (!verdict.ok) oracle.blame("I6", `the audit trail does not verify: ${verdict.broken?.why}`);
  const entries = new Map(
    query("select actor_name, count(*) as entries from audit where actor_type = 'user' group by actor_name").map(
      (row) => [row["actor_name"], Number(row["entries"])],
    ),
  );
  for (const { actor } of acknowledged) {
    if (entries.get(actor) !== 1) oracle.blame("I6", `${actor} has ${entries.get(actor) ?? 0} entries, not 1`);
    entries.delete(actor);
  }
  for (const [actor, count] of entries) {
    if (!doubtful.has(String(actor))) oracle.blame("I6", `${String(actor)} is audited and was not acknowledged`);
    else if (count > 1) oracle.blame("I6", `${String(actor)} has ${count} entries, not at most 1`);
  }
}
