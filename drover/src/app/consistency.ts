import { isDroverError, makeProblem } from "@drover/contract";
import type { Sighting } from "../domain/sighting.ts";
import type { ClusterBrief, ClusterFilter, ClusterRecord } from "../ports/store/index.ts";
import type { App, Request } from "./app.ts";
import { type Caller, isInScope } from "./caller.ts";
import { refused } from "./declare-cluster.ts";
import { fleetPages } from "./fleet-pages.ts";
import type { Inconsistency } from "./inconsistency.ts";
import { listUndeclared } from "./list-undeclared.ts";
import { requestWork } from "./request-work.ts";

/** Together they meet every cluster whose last look was not what its owner wants to see. */
const SUSPECTS: readonly ClusterFilter[] = [
  { modifiers: ["Drifted"] },
  { phases: ["Unknown", "Unreachable", "Unavailable"] },
];

/** From what is stored; no host is asked. `checkedAt` is when the cluster that was looked at least recently was. */
export async function getConsistency(
  app: App,
  { scopes }: Pick<Caller, "scopes">,
): Promise<{ readonly checkedAt: number | null; readonly items: readonly Inconsistency[] }> {
  const found = new Map<string, Inconsistency>();
  for (const filter of SUSPECTS) {
    for await (const page of fleetPages(app, { ...filter, scopes })) {
      const briefs = await app.store.read.briefClusters(page.map(({ id }) => id));
      for (const cluster of page) {
        const judged = judge(cluster, briefs.get(cluster.id));
        if (judged !== null) found.set(judged.id, judged);
      }
    }
  }
  const orphans = await listOrphans(app, scopes);
  // What carries no labels is within nobody's scope.
  const undeclared = scopes.length === 0 ? await listUndeclared(app) : [];
  return {
    checkedAt: await app.store.read.oldestLookAt(scopes),
    items: [...found.values(), ...orphans, ...undeclared],
  };
}

function judge({ id, name: cluster, provider: system }: ClusterRecord, brief?: ClusterBrief): Inconsistency | null {
  const tell = (verdict: Inconsistency["verdict"], message: string, summary: string | null): Inconsistency => ({
    ...{ id: `provider.${id}`, cluster, system, verdict, message },
    repair: summary === null ? null : { summary, destructive: false },
  });
  const seen = (brief?.seen?.body ?? null) as unknown as Sighting | null;
  if (brief?.liveJob != null) return tell("unknown", "A job is working on it; look again when it has ended.", null);
  if (seen === null || seen.presence === "unknown") {
    return tell("unknown", seen?.message ?? "Nobody has looked at it yet.", null);
  }
  if (seen.presence === "absent") return tell("missing", seen.message, "Make what is missing anew.");
  if (!seen.complete) return tell("different", seen.message, "Make the missing parts.");
  if (seen.drift.length === 0) return null;
  const differences = seen.drift.map(({ path, desired, actual }) => `${path} is ${actual}, declared ${desired}`);
  return tell("different", `${differences.join("; ")}.`, "Bring it back to what was declared.");
}

/** Things in the ledger that outlived their cluster. */
async function listOrphans(app: App, scopes: Caller["scopes"]): Promise<readonly Inconsistency[]> {
  const objects = await app.store.read.listExternalObjects({ orphaned: true });
  const owners = new Map<string, ClusterRecord | null>();
  for (const clusterId of new Set(objects.map((one) => one.clusterId))) {
    owners.set(clusterId, await app.store.read.getCluster(clusterId));
  }
  return objects
    .filter(({ clusterId }) => scopes.length === 0 || isInScope(scopes, owners.get(clusterId)?.labels ?? {}))
    .map(({ id, clusterId, system, kind, ref }) => ({
      ...{ id: `object.${id}`, cluster: owners.get(clusterId)?.name ?? null, system, verdict: "orphaned" as const },
      message: `The ${kind} ${ref} was left behind when its cluster was deleted.`,
      repair: null,
    }));
}

/** Has all clusters looked at as soon as workers can. Answers whether there are any. */
export async function checkConsistency(app: App, { actor, scopes }: Caller): Promise<boolean> {
  return (await app.store.desired.requestLooks(actor, scopes)) > 0;
}

/** Puts a repair in line for each; where a job is there already it is that one. Nothing is begun when an id is wrong. */
export async function repairConsistency(
  app: App,
  caller: Caller,
  ids: readonly string[],
  request: Request,
): Promise<readonly string[]> {
  const known = new Map((await getConsistency(app, caller)).items.map((one) => [one.id, one]));
  const problems = ids.flatMap((id, index) => {
    const one = known.get(id);
    const path = `ids[${index}]`;
    if (one === undefined) return [makeProblem(path, "unknown-value", `Nothing is inconsistent under the id ${id}.`)];
    return one.repair === null ? [makeProblem(path, "unknown-value", `No job can repair this: ${one.message}`)] : [];
  });
  if (problems.length > 0) throw refused(problems);
  const { idempotency: _, ...who } = request;
  const jobIds: string[] = [];
  for (const id of new Set(ids)) {
    const name = known.get(id)?.cluster ?? "";
    jobIds.push(await repairJob(app, { ...who, name }));
  }
  return jobIds;
}

async function repairJob(app: App, request: Request & { readonly name: string }): Promise<string> {
  try {
    return (await requestWork(app, { ...request, kind: "repair" })).id;
  } catch (error) {
    if (isDroverError(error, "job-live") && typeof error.details["jobId"] === "string") return error.details["jobId"];
    throw error;
  }
}
