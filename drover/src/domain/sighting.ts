import type { Presence } from "@drover/contract";
import type { JsonObject } from "./plan.ts";

export interface Drift {
  readonly path: string;
  readonly desired: string;
  readonly actual: string;
}

/** What was seen of one cluster, in the words that every provider shares. */
export interface Sighting {
  /** `unknown` when nobody could look: never a reason to make or remove anything. */
  readonly presence: Presence;
  /** Present, and all of it: false for a create that was cut off. */
  readonly complete: boolean;
  /** Whether the Kubernetes API answered; null when that was not found out. */
  readonly reachable: boolean | null;
  /** All of its nodes are there and none of them runs; left out where some do, or where nothing is there. */
  readonly stopped?: boolean;
  readonly nodesReady: number;
  readonly nodesTotal: number;
  readonly kubernetesVersion: string | null;
  readonly endpoint: string | null;
  /** Where reality is not what the spec asks for. */
  readonly drift: readonly Drift[];
  /** One sentence for people: what was seen, or why nothing was. */
  readonly message: string;
  /** Which certificates end soon, in words; null when none does, left out where nobody looked. */
  readonly endingCertificates?: string | null;
  readonly body: JsonObject;
}

const NOTHING = {
  complete: false,
  reachable: null,
  nodesReady: 0,
  nodesTotal: 0,
  kubernetesVersion: null,
  endpoint: null,
  drift: [],
} as const satisfies Partial<Sighting>;

/** For when looking itself failed. */
export const unseen = (message: string): Sighting => ({ presence: "unknown", ...NOTHING, message, body: {} });

/** For when everybody could look, and nothing is there. */
export const absentSighting = (message: string, body: JsonObject = {}): Sighting => ({
  presence: "absent",
  ...NOTHING,
  ...{ message, body },
});

/** Two sightings with the same text lead to the same conditions and decisions. Cheap: made for every cluster at every look. */
export function fingerprintOf(sighting: Sighting): string {
  const { presence, complete, reachable, nodesReady, nodesTotal, kubernetesVersion, endpoint, drift, message } =
    sighting;
  const stopped = sighting.stopped === true ? "stopped" : "";
  const ending = sighting.endingCertificates ? `|${sighting.endingCertificates}` : "";
  const drifted = drift.length === 0 ? "" : JSON.stringify(drift);
  return `${presence}|${complete}|${reachable}|${stopped}|${nodesReady}/${nodesTotal}|${kubernetesVersion}|${endpoint}|${drifted}|${message}${ending}`;
}
