import type { Sighting } from "../domain/sighting.ts";
import type { ClusterRecord, JobRecord, Store } from "../ports/store/index.ts";
import { auditLedger, type LedgerAudit } from "../providers/simulated/audit-ledger.ts";
import { readLedger } from "../providers/simulated/file-world.ts";
import { lookAt } from "../providers/simulated/look.ts";
import type { World } from "../providers/simulated/world.ts";

/** What is there, what should be, and where the two differ. */
export interface FleetState {
  readonly clusters: readonly ClusterRecord[];
  readonly phases: Readonly<Record<string, number>>;
  readonly running: number;
  readonly deleted: number;
  readonly stalled: readonly ClusterRecord[];
  /** Jobs that have not ended. */
  readonly live: readonly JobRecord[];
  /** Clusters of which the simulated cloud holds something else than was declared, each in a sentence. */
  readonly differences: readonly string[];
}

const PAGE = 500;

export async function readFleet(store: Store, world: World, ids: readonly string[]): Promise<FleetState> {
  const clusters: ClusterRecord[] = [];
  for (const id of ids) {
    const cluster = await store.read.getCluster(id);
    if (cluster !== null) clusters.push(cluster);
  }
  const state = world.read().clusters;
  const now = Date.now();
  const phases: Record<string, number> = {};
  for (const { deletedAt, phase } of clusters) {
    const word = deletedAt === null ? phase : "deleted";
    phases[word] = (phases[word] ?? 0) + 1;
  }
  return {
    clusters,
    phases,
    running: phases.Running ?? 0,
    deleted: phases.deleted ?? 0,
    stalled: clusters.filter(({ deletedAt, modifiers }) => deletedAt === null && modifiers.includes("Stalled")),
    live: await listLiveJobs(store, new Set(ids)),
    differences: clusters.flatMap((cluster) =>
      describeDifference(cluster, lookAt(cluster, state.get(cluster.id), now)),
    ),
  };
}

/** Whether nothing is left to be done. */
export function isAtRest({ clusters, live, differences, running, deleted }: FleetState): boolean {
  return live.length === 0 && differences.length === 0 && running + deleted === clusters.length;
}

function describeDifference(cluster: ClusterRecord, seen: Sighting): readonly string[] {
  const { name, deletedAt, desiredState, generation, observedGeneration } = cluster;
  if (desiredState === "absent") {
    if (deletedAt === null) return [`${name} is declared absent and not deleted`];
    return seen.presence === "absent" ? [] : [`${name} is deleted, and things of it are there`];
  }
  if (observedGeneration !== generation) return [`${name} is at generation ${observedGeneration} of ${generation}`];
  if (seen.presence !== "present" || !seen.complete) return [`${name} is declared and not there: ${seen.message}`];
  return seen.drift.map(({ path, desired, actual }) => `${name}: ${path} is ${actual} and should be ${desired}`);
}

async function listLiveJobs(store: Store, ids: ReadonlySet<string>): Promise<readonly JobRecord[]> {
  const jobs: JobRecord[] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.read.listJobs({
      states: ["Pending", "Processing"],
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    jobs.push(...page.items.filter(({ clusterId }) => ids.has(clusterId)));
    if (page.next === null) return jobs;
    after = page.next;
  }
}

export interface Verdict {
  readonly rows: readonly (readonly [string, string])[];
  /** Empty when everything is right. */
  readonly wrong: readonly string[];
}

/** Judges the whole run by what the ledger and the store say. */
export async function judgeRun(
  store: Store,
  fleet: FleetState,
  { ledgerFile, run }: { readonly ledgerFile: string; readonly run: string },
): Promise<Verdict> {
  const known = new Set(fleet.clusters.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id));
  const records = readLedger(ledgerFile).filter(({ clusterName }) => clusterName.startsWith(`demo-${run}-`));
  const audit = auditLedger(records, known);
  const struck = records.filter(({ fault }) => fault !== null).length;
  const chain = await store.audit.verifyAudit();
  const left = await findLeftRows(store, fleet.clusters);
  const wrong = [
    ...fleet.differences,
    ...fleet.stalled.map(({ name, lastError }) => `${name} is stalled: ${lastError ?? "nobody said why"}`),
    ...fleet.live.map(({ clusterName, kind, state, error }) => {
      const why = error === null ? "" : `: ${error.message}`;
      return `The ${kind} job of ${clusterName} has not ended (${state})${why}`;
    }),
    ...fleet.clusters
      .filter(({ deletedAt, phase }) => deletedAt === null && phase !== "Running")
      .map(({ name, phase }) => `${name} is ${phase}`),
    ...judgeLedger(audit),
    ...left,
    ...(chain.ok ? [] : [`The audit log does not fit together at entry ${chain.broken?.seq}: ${chain.broken?.why}`]),
  ];
  const { doubles, orphans, refused, staleEffects } = audit;
  return {
    wrong,
    rows: [
      ["running", String(fleet.running)],
      ["deleted", String(fleet.deleted)],
      ["stalled", String(fleet.stalled.length)],
      ["actual", fleet.differences.length === 0 ? "as desired" : `differs in ${fleet.differences.length} places`],
      ["ledger", `${audit.calls} calls, ${struck} struck by a fault`],
      ["", `${doubles.length} doubles, ${orphans.length + left.length} orphans`],
      ["", `${refused.length} calls of stale workers refused, ${staleEffects.length} not`],
      ["audit", chain.ok ? `${chain.checked} entries, chain verified` : "broken"],
      ["jobs", `${fleet.live.length} stuck`],
    ],
  };
}

function judgeLedger({ doubles, orphans, staleEffects, touchedForeign }: LedgerAudit): readonly string[] {
  return [
    ...doubles.map(
      ({ kind, name, count, line }) => `There were ${count} of the ${kind} ${name} at once (line ${line})`,
    ),
    ...orphans.map(({ kind, name }) => `The ${kind} ${name} belongs to no cluster`),
    ...staleEffects.map(({ call, clusterName, number }) => `A stale ${call} changed ${clusterName} (line ${number})`),
    ...touchedForeign.map(({ call, number }) => `${call} touched what is not ours (line ${number})`),
  ];
}

/** What Drover's own ledger still names of deleted clusters. */
async function findLeftRows(store: Store, clusters: readonly ClusterRecord[]): Promise<readonly string[]> {
  const deleted = new Map(clusters.filter(({ deletedAt }) => deletedAt !== null).map(({ id, name }) => [id, name]));
  const rows = (await store.read.listExternalObjects({})).filter(({ clusterId }) => deleted.has(clusterId));
  return rows.map(({ clusterId, kind, ref }) => `${deleted.get(clusterId)} is deleted, and its ${kind} ${ref} is not`);
}
