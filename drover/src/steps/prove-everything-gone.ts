import { DroverError } from "@drover/contract";
import type { JsonObject } from "../domain/plan.ts";
import { type Sighting, unseen } from "../domain/sighting.ts";
import type { Clock } from "../ports/clock.ts";
import type { FoundCluster, Provider } from "../ports/provider.ts";
import type { Step, StepContext } from "../ports/step.ts";
import type { ExternalObject } from "../ports/store/index.ts";
import { INSIDE_CLUSTER } from "./access/own-objects.ts";

export const PROVE_EVERYTHING_GONE = "prove-everything-gone";

/** The proof that nothing was left behind. */
export interface ProofOfAbsence extends JsonObject {
  readonly clusterId: string;
  readonly clusterName: string;
  readonly provider: string;
  /** Who looked. */
  readonly worker: string;
  /** RFC 3339. */
  readonly lookedAt: string;
  /** What the provider said when it was asked for the cluster. */
  readonly seen: string;
  /** Everything that the ledger knows to have been made for the cluster, each with the time it was seen gone. */
  readonly objects: readonly {
    readonly system: string;
    readonly kind: string;
    readonly ref: string;
    /** When it was about to be made. */
    readonly madeAt: string;
    readonly goneAt: string;
  }[];
}

/**
 * Looks for everything that was made for the cluster and gives a record of what was looked for, where, when, and that
 * it was not found. Ends with `objects-remain`, naming what is in the way, when something is there or belongs to
 * somebody else to remove. It is never skipped: the record is what it is for. A cluster that others made is not looked
 * for, as it stays; what we made in it, its own steps have to have removed.
 */
export function proveEverythingGone(parts: { findProvider(id: string): Provider; clock: Clock }): Step {
  return {
    name: PROVE_EVERYTHING_GONE,
    light: true,
    precheck: async () => false,
    run: async (context) => {
      let record: ProofOfAbsence | undefined;
      const text = `Look for everything that belongs to ${context.cluster.name}, and write down that it is gone`;
      await context.change(context.step.host, text, async () => {
        record = await prove(parts.findProvider(context.cluster.spec.provider), parts.clock, context);
      });
      return record;
    },
    verify: async () => true,
  };
}

async function prove(provider: Provider, clock: Clock, context: StepContext): Promise<ProofOfAbsence> {
  const { cluster, ledger, signal, job } = context;
  const lookedAt = new Date(clock.now()).toISOString();
  const ours = provider.capabilities.createsClusters;
  const seen = ours ? await seeAbsent(provider, context) : "The cluster itself was made by others, and stays.";
  signal.throwIfAborted();
  const open = await ledger.list();
  assertNoneOfOthers(cluster.name, ours ? [provider.id, INSIDE_CLUSTER] : [], open);
  for (const row of open) await ledger.gone(row.id);
  const rows = await ledger.list({ includeGone: true });
  for (const { system, kind, ref } of rows) context.log(`${system} ${kind} ${ref}: seen gone.`);
  return {
    clusterId: cluster.id,
    clusterName: cluster.name,
    provider: provider.id,
    worker: job.worker,
    ...{ lookedAt, seen },
    objects: rows.map(({ system, kind, ref, createdAt, goneAt }) => ({
      ...{ system, kind, ref },
      madeAt: new Date(createdAt).toISOString(),
      goneAt: goneAt === null ? lookedAt : new Date(goneAt).toISOString(),
    })),
  };
}

async function seeAbsent(provider: Provider, { cluster, signal }: StepContext): Promise<string> {
  const look = { signal, thorough: true };
  const [sighting = unseen("The provider said nothing.")] = await provider.observe([cluster], look);
  signal.throwIfAborted();
  const found = (await provider.list(signal)).filter(({ clusterId }) => clusterId === cluster.id);
  assertAbsent(cluster.name, sighting, found);
  return sighting.message;
}

function assertAbsent(name: string, sighting: Sighting, found: readonly FoundCluster[]): void {
  if (sighting.presence === "unknown") {
    throw new DroverError("cluster-unseen", `Whether ${name} is gone could not be seen: ${sighting.message}`);
  }
  if (sighting.presence === "absent" && found.length === 0) return;
  const left = found.map(({ detail }) => JSON.stringify(detail)).join(", ");
  throw new DroverError("objects-remain", `${name} is still there: ${sighting.message} Found: ${left || "no list"}.`, {
    details: { found: found.map(({ detail }) => detail) },
  });
}

/** What lies in other systems, or in a cluster that stays, is for its own steps to remove and to see gone. */
function assertNoneOfOthers(name: string, ended: readonly string[], rows: readonly ExternalObject[]): void {
  const blockers = rows.filter(({ system, state }) => !ended.includes(system) && state !== "gone");
  if (blockers.length === 0) return;
  const named = blockers.map(({ system, kind, ref }) => `${system} ${kind} ${ref}`);
  throw new DroverError("objects-remain", `Of ${name} there is still: ${named.join(", ")}.`, {
    details: { blockers: named },
  });
}
