import { DroverError, isDroverError, type JobKind } from "@drover/contract";
import { specHash } from "../domain/canonical.ts";
import type { Json, Plan } from "../domain/plan.ts";
import { type Sighting, unseen } from "../domain/sighting.ts";
import { diffSpecs, type SpecDiff } from "../domain/spec-diff.ts";
import { sha256 } from "../lib/sha256.ts";
import { makePlan } from "../pipelines/make-plan.ts";
import type { Provider } from "../ports/provider.ts";
import type { ClusterRecord, DeclareResult } from "../ports/store/index.ts";
import type { App, Request } from "./app.ts";
import { assertPossible, chooseJobKind, declareSpec, readCluster, type SpecDeclaration } from "./declare-cluster.ts";

export interface PlannedChange {
  readonly name: string;
  /** Null when nothing has to be done. */
  readonly plan: Plan | null;
  readonly hash: string | null;
  readonly jobKind: JobKind | null;
  readonly diff: SpecDiff;
  /** The version that the plan starts from; null for a new cluster. */
  readonly baseVersion: number | null;
}

/**
 * What declaring this text would do. Thinks with what was last seen, asks no host anything, and changes nothing but
 * that the plan is kept for whoever applies it.
 */
export async function planChange(app: App, text: string, name?: string): Promise<PlannedChange> {
  const { metadata, spec } = await readCluster(app, text, name);
  const planned = await planSpec(app, { name: metadata.name, spec });
  await keepPlan(app, planned);
  return planned;
}

async function planSpec(app: App, { name, spec }: Pick<SpecDeclaration, "name" | "spec">): Promise<PlannedChange> {
  const existing = await app.store.read.findCluster(name);
  assertPossible({ name, spec }, existing);
  const diff = existing === null ? { changes: [], change: "nothing" as const } : diffSpecs(existing.spec, spec);
  const unchanged = existing !== null && diff.changes.length === 0 && existing.desiredState === "present";
  const jobKind = unchanged ? null : chooseJobKind(app, spec, existing);
  const base = { name, diff, jobKind, baseVersion: existing?.version ?? null };
  if (jobKind === null) return { ...base, plan: null, hash: null };
  const provider = findProvider(app, spec.provider);
  const cluster = { ...(existing ?? newCluster(name)), spec, provider: spec.provider } as ClusterRecord;
  const { plan, hash } = makePlan({
    ...{ kind: jobKind, cluster, provider, observed: await lastSighting(app, existing) },
    specHash: specHash(spec, sha256),
    change: diff.change,
    // Shown here first: who applies it has seen what it destroys.
    consent: true,
  });
  return { ...base, plan: await app.describeChanges(plan, cluster), hash };
}

async function keepPlan(app: App, { plan, hash }: PlannedChange): Promise<void> {
  if (hash !== null) await app.store.desired.savePlan({ hash, body: plan as unknown as Json });
}

/** Declares a change that nobody was shown a plan of. What destroys something has to be agreed to. */
export async function changeSpec(app: App, change: SpecDeclaration, consent: boolean): Promise<DeclareResult> {
  const planned = await planIfSeen(app, change);
  assertConsent(planned, consent);
  if (planned?.diff.change !== "recreate" || planned.hash === null) return await declareSpec(app, change);
  await keepPlan(app, planned);
  return await declareSpec(app, { ...change, planHash: planned.hash });
}

/** Whether `changeSpec` would take the change; changes nothing. */
export async function assertMayChange(app: App, change: SpecDeclaration, consent: boolean): Promise<void> {
  assertConsent(await planIfSeen(app, change), consent);
}

/** Null while nobody can see the cluster: then the change is written down and waits, and destroys nothing meanwhile. */
async function planIfSeen(app: App, change: SpecDeclaration): Promise<PlannedChange | null> {
  try {
    return await planSpec(app, change);
  } catch (error) {
    if (isDroverError(error, "cluster-unseen")) return null;
    throw error;
  }
}

export function assertConsent(planned: PlannedChange | null, consent: boolean): void {
  if (planned?.diff.change !== "recreate" || consent) return;
  const paths = planned.diff.changes.filter(({ change }) => change === "recreate").map(({ path }) => path);
  throw new DroverError("consent-required", `The cluster would be removed and made anew: ${paths.join(", ")}.`, {
    details: { paths, planHash: planned.hash },
  });
}

/** Declares the text if that still leads to the plan that was shown. */
export async function applyPlan(
  app: App,
  request: Request & { readonly text: string; readonly hash: string; readonly baseVersion: number | null },
): Promise<DeclareResult> {
  const { text, hash, baseVersion, ...who } = request;
  const planned = await planChange(app, text);
  if (planned.hash !== hash || planned.baseVersion !== baseVersion) {
    throw new DroverError(
      "plan-stale",
      `The plan ${hash} was made for another state of the cluster "${planned.name}".`,
      {
        details: { planHash: planned.hash, version: planned.baseVersion },
      },
    );
  }
  const { metadata, spec } = await readCluster(app, text);
  const { name, labels = {}, annotations = {} } = metadata;
  return await declareSpec(app, {
    ...{ ...who, name, spec, labels, annotations },
    expectedVersion: baseVersion,
    planHash: hash,
  });
}

function findProvider(app: App, id: string): Provider {
  const provider = app.providers.get(id);
  if (provider !== undefined) return provider;
  throw new DroverError("job-kind-unsupported", `This Drover has no provider "${id}".`);
}

/** Stands for a cluster that has no record yet; nothing of it reaches the plan but its name. */
const newCluster = (name: string): Pick<ClusterRecord, "id" | "name" | "generation" | "observedGeneration"> => ({
  id: "",
  name,
  generation: 1,
  observedGeneration: 0,
});

/** A cluster that was never made is not there; one that was is as it was last seen. */
async function lastSighting(app: App, existing: ClusterRecord | null): Promise<Sighting> {
  const notMade: Sighting = { ...unseen("It was not made yet."), presence: "absent" };
  if (existing === null) return notMade;
  const seen = (await app.store.observations.listObservations(existing.id)).find(({ source }) => source === "provider");
  if (seen !== undefined) return seen.body as unknown as Sighting;
  return existing.observedGeneration === 0 ? notMade : unseen("Nobody has looked at it yet.");
}
