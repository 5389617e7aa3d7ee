import type { JobKind } from "@drover/contract";
import { conditionsFromSighting, wasAsleep } from "../domain/conditions-from-sighting.ts";
import { type Decision, decide, type RestingCluster } from "../domain/decide.ts";
import { fingerprintOf, type Sighting, unseen } from "../domain/sighting.ts";
import { failpoint } from "../lib/failpoint.ts";
import type { Provider } from "../ports/provider.ts";
import type {
  ClusterStatusUpdate,
  Json,
  Look,
  LookBatch,
  Observation,
  RestingRecord,
  Store,
  WorkerIdentity,
} from "../ports/store/index.ts";
import type { Breakers } from "./breakers.ts";
import type { KubeconfigKeeper } from "./kubeconfig-keeper.ts";
import type { LookedAt, Remembered, RestingMemory } from "./resting-memory.ts";

export interface LookOptions {
  readonly resyncMs: number;
  readonly healthMs: number;
  readonly jitterMs: number;
  readonly leaseMs: number;
  /** How many clusters to take at once: bounds how long the event loop is held. */
  readonly batch: number;
  /** How long before the end of its time to live a cluster is said to expire. */
  readonly expiryWarningMs: number;
}

export interface LookDependencies {
  readonly store: Pick<Store, "looks" | "observations" | "desired">;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly worker: WorkerIdentity;
  readonly memory: RestingMemory;
  readonly breakers: Breakers;
  readonly kubeconfigs: Pick<KubeconfigKeeper, "keepMissing">;
  readonly options: LookOptions;
}

export interface RoundResult {
  readonly looked: number;
  readonly changed: number;
  readonly started: readonly { readonly clusterName: string; readonly kind: JobKind; readonly why: string }[];
}

interface Seen {
  readonly look: Look;
  readonly known: Remembered;
  readonly sighting: Sighting;
}

/** What was seen, with everything that its conditions and decisions follow from. */
interface News {
  readonly look: Look;
  readonly known: { readonly resting: RestingRecord; readonly expiresAt: number | null };
  readonly sighting: Sighting;
}

/**
 * Looks at the clusters that are due, all of them at once: what is as it was costs a comparison, what is not gets new
 * conditions, and where something has to be done a job is put in line. Nothing is done here.
 */
export async function lookRound(deps: LookDependencies, signal: AbortSignal): Promise<RoundResult> {
  const { store, worker, options, memory } = deps;
  const batch = await store.looks.claimLooks(worker, { limit: options.batch, leaseMs: options.leaseMs });
  if (batch.looks.length === 0) return { looked: 0, changed: 0, started: [] };
  failpoint("reconciler.after-looks-claimed");
  const known = await memory.recall(store.looks, batch.looks);
  const seen = await observeAll(deps, batch, known, signal);
  if (signal.aborted) {
    // A look that was called off says nothing about the clusters; they are looked at again at their next turn.
    await store.looks.closeLooks(batch, { ...options, changed: [] });
    return { looked: batch.looks.length, changed: 0, started: [] };
  }
  const differing = seen.filter((one) => isNews(one, batch.startedAt, options.expiryWarningMs));
  deps.breakers.judge(seen.map(({ known: { cluster }, sighting }) => ({ cluster, sighting })));
  const news = await complete(deps, differing);
  failpoint("reconciler.before-sightings-stored");
  const accepted = await writeStatus(deps, news, batch);
  failpoint("reconciler.after-sightings-stored");
  const started: RoundResult["started"][number][] = [];
  const settled: { clusterId: string; fingerprint: string }[] = [];
  for (const one of news.filter(({ look }) => accepted.has(look.clusterId))) {
    const decision = decide(toResting(deps, one.known), one.sighting, batch.startedAt);
    const begun = decision.action === "start" && (await tryStart(deps, one.known.resting, decision));
    if (begun && decision.action === "start") {
      started.push({ clusterName: one.known.resting.cluster.name, kind: decision.kind, why: decision.why });
    } else if (decision.action === "nothing") {
      settled.push({ clusterId: one.look.clusterId, fingerprint: fingerprintOf(one.sighting) });
    }
  }
  failpoint("reconciler.before-looks-closed");
  await store.looks.closeLooks(batch, { ...options, changed: settled });
  await deps.kubeconfigs.keepMissing(answering(seen), signal);
  return { looked: batch.looks.length, changed: news.length, started };
}

/** Those that were looked at thoroughly, brought about before, and answered. */
function answering(seen: readonly Seen[]): readonly LookedAt[] {
  return seen
    .filter(({ look, sighting }) => look.thorough && sighting.presence === "present" && sighting.reachable === true)
    .map(({ known }) => known.cluster)
    .filter(({ observedGeneration }) => observedGeneration > 0);
}

async function observeAll(
  deps: LookDependencies,
  batch: LookBatch,
  known: ReadonlyMap<string, Remembered>,
  signal: AbortSignal,
): Promise<readonly Seen[]> {
  const groups = new Map<string, { look: Look; known: Remembered }[]>();
  for (const look of batch.looks) {
    const remembered = known.get(look.clusterId);
    if (remembered === undefined) continue; // deleted since it was claimed
    const key = `${remembered.cluster.provider} ${look.thorough}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ look, known: remembered }]);
    else group.push({ look, known: remembered });
  }
  const seen = await Promise.all([...groups.values()].map((group) => observeGroup(deps, group, signal)));
  return seen.flat();
}

/** A provider that fails has seen nothing: that is never taken for "gone". */
async function observeGroup(
  deps: LookDependencies,
  group: readonly { look: Look; known: Remembered }[],
  signal: AbortSignal,
): Promise<readonly Seen[]> {
  const [first] = group;
  const provider = deps.providers.get(first?.known.cluster.provider ?? "");
  if (first === undefined || provider === undefined) return [];
  const clusters = group.map(({ known }) => known.cluster);
  let sightings: readonly Sighting[];
  try {
    sightings = await provider.observe(clusters, { signal, thorough: first.look.thorough });
  } catch (error) {
    sightings = clusters.map(() => unseen(`Looking failed: ${error instanceof Error ? error.message : String(error)}`));
  }
  return group.map((one, index) => ({ ...one, sighting: sightings[index] ?? unseen("The provider said nothing.") }));
}

function isNews({ look, known, sighting }: Seen, now: number, warningMs: number): boolean {
  if (look.fingerprint === "" || look.fingerprint !== fingerprintOf(sighting)) return true;
  return known.expiresAt !== null && now >= known.expiresAt - warningMs;
}

async function complete({ store, memory }: LookDependencies, seen: readonly Seen[]): Promise<readonly News[]> {
  const whole = await memory.readWhole(
    store.looks,
    seen.map(({ look }) => look),
  );
  return seen.flatMap(({ look, known: { expiresAt }, sighting }) => {
    const resting = whole.get(look.clusterId);
    return resting === undefined ? [] : [{ look, known: { resting, expiresAt }, sighting }];
  });
}

async function writeStatus(
  deps: LookDependencies,
  news: readonly News[],
  batch: LookBatch,
): Promise<ReadonlySet<string>> {
  const updates = news.map((one) =>
    statusUpdate(one, batch.startedAt, deps.options.expiryWarningMs, whyHeld(deps, one, batch.startedAt)),
  );
  const accepted = new Set(await deps.store.observations.saveStatus(deps.worker, updates));
  await deps.store.observations.saveObservations(
    deps.worker,
    news.map((one) => toObservation(one, batch.startedAt)),
  );
  return accepted;
}

/** What was seen, as it was seen: plans are shown on this without asking the host again. */
export function toObservation({ known, sighting }: Pick<News, "known" | "sighting">, now: number): Observation {
  const { id: clusterId } = known.resting.cluster;
  return { clusterId, source: "provider", presence: sighting.presence, seenAt: now, body: sighting as unknown as Json };
}

export function statusUpdate(
  { known, sighting }: Pick<News, "known" | "sighting">,
  now: number,
  warningMs: number,
  held: string | null,
): ClusterStatusUpdate {
  const { cluster, lastJob } = known.resting;
  const gaveUp = lastJob !== null && lastJob.state === "Failed" && lastJob.generation >= cluster.generation;
  const conditions = conditionsFromSighting(
    cluster.conditions,
    sighting,
    {
      generation: cluster.generation,
      observedGeneration: cluster.observedGeneration,
      deleting: cluster.desiredState === "absent",
      hibernated: cluster.hibernated,
      held,
      stalled: gaveUp ? (lastJob.error ?? "The last job failed.") : null,
      expiresAt: known.expiresAt !== null && now >= known.expiresAt - warningMs ? known.expiresAt : null,
    },
    new Date(now).toISOString(),
  );
  return {
    clusterId: cluster.id,
    seenAt: now,
    presence: sighting.presence,
    conditions,
    error: gaveUp ? lastJob.error : sighting.presence === "unknown" ? sighting.message : null,
  };
}

/** Why the repair that a cluster needs has to wait; null when it needs none, or need not wait. */
function whyHeld(deps: LookDependencies, { known, sighting }: News, now: number): string | null {
  const decision = decide(toResting(deps, known), sighting, now);
  const needsRepair = decision.action === "start" && decision.kind === "repair";
  return needsRepair ? deps.breakers.whyHeld(known.resting.cluster.provider) : null;
}

function toResting(deps: LookDependencies, { resting, expiresAt }: News["known"]): RestingCluster {
  const { cluster, lastJob } = resting;
  const provider = deps.providers.get(cluster.provider);
  return {
    desiredState: cluster.desiredState,
    firstJob: provider?.capabilities.createsClusters === false ? "import" : "create",
    generation: cluster.generation,
    observedGeneration: cluster.observedGeneration,
    lastJob,
    paused: cluster.spec.maintenance?.paused === true,
    hibernated: cluster.hibernated && provider?.capabilities.hibernates === true,
    asleep: wasAsleep(cluster.conditions),
    selfHeal: cluster.spec.maintenance?.selfHeal ?? "repair",
    expiresAt,
  };
}

/** What people asked for always starts; repairs only while the breaker lets them. */
async function tryStart(
  deps: LookDependencies,
  { cluster }: RestingRecord,
  decision: Extract<Decision, { action: "start" }>,
): Promise<boolean> {
  if (decision.kind !== "repair") return await start(deps, cluster, decision);
  return await deps.breakers.allow(cluster, () => start(deps, cluster, decision));
}

async function start(
  { store }: LookDependencies,
  { id: clusterId, name, version: expectedVersion, desiredState }: RestingRecord["cluster"],
  { kind, why: reason }: Extract<Decision, { action: "start" }>,
): Promise<boolean> {
  const actor = { type: "system", name: "reconciler" } as const;
  try {
    if (kind === "delete" && desiredState === "present") {
      // Only what was looked at: its life may have been extended since, or another cluster may have its name.
      await store.desired.deleteCluster({ name, clusterId, expectedVersion, actor, reason });
    } else {
      const priority = AUTOMATIC_PRIORITY;
      await store.desired.requestJob({ clusterName: name, clusterId, kind, actor, reason, priority });
    }
    failpoint("reconciler.after-job-requested");
    return true;
  } catch (error) {
    // Somebody was faster; the next look sees what came of it.
    if (isOvertaken(error)) return false;
    throw error;
  }
}

/** Behind everything that people asked for. */
const AUTOMATIC_PRIORITY = 1;

const OVERTAKEN: ReadonlySet<unknown> = new Set([
  "job-live",
  "cluster-not-found",
  "cluster-deleting",
  "cluster-protected",
  "generation-conflict",
]);
const isOvertaken = (error: unknown): boolean => error instanceof Error && "code" in error && OVERTAKEN.has(error.code);
