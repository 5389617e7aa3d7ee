import type { StepContext } from "../../ports/step.ts";
import type { SshCluster, SshHost } from "./host.ts";
import { holdsCluster, mayHoldCluster, seeKnown } from "./known-places.ts";

type Asking = Pick<StepContext, "signal"> & { readonly cluster: SshCluster };

/**
 * What is left of a cluster beside one node, in words: a machine that holds a part of it, or one that may and does not
 * answer. Null where all have answered and none does: then there is no cluster any more.
 */
export async function findRest(host: SshHost, { cluster, signal }: Asking, name: string): Promise<string | null> {
  const places = await seeKnown(host, cluster, signal);
  for (const place of places) {
    if (place.node === name || place.moved || !mayHoldCluster(cluster, place)) continue;
    if ("unreachable" in place.seen) return place.seen.unreachable;
    if (holdsCluster(cluster, place)) return `${place.node} still belongs to it.`;
  }
  return null;
}
