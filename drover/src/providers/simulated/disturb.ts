import type { Disturbance, FaultEffect, LedgerEntry } from "./ledger.ts";
import { roll } from "./roll.ts";
import type { ClusterState, WorldObject } from "./world-state.ts";

/** How long a rebooted cluster does not answer. */
export const REBOOT_MS = 10_000;

/** What happens to a cluster behind everyone's back. Answers what is gone because of it. */
export function disturb(
  cluster: ClusterState,
  entry: LedgerEntry,
  what: FaultEffect | Disturbance,
): readonly WorldObject[] {
  switch (what) {
    case "node-lost":
      return loseNode(cluster, entry);
    case "cluster-lost":
      return lose(cluster, cluster.objects);
    case "drift":
      for (const object of cluster.objects) {
        if (object.kind === "cluster") object.settings = `changed by hand (${cluster.revision})`;
      }
      return [];
    case "reboot":
      cluster.downUntil = entry.at + REBOOT_MS;
      return [];
    default:
      return [];
  }
}

function loseNode(cluster: ClusterState, entry: LedgerEntry): readonly WorldObject[] {
  const nodes = cluster.objects.filter(({ kind }) => kind === "node");
  const named = nodes.filter(({ name }) => name === entry.input.node && entry.call === "disturb");
  const chance = roll(entry.script?.seed ?? 0, cluster.name, "node-lost", cluster.revision);
  const unlucky = named[0] ?? nodes[Math.floor(chance * nodes.length)];
  return unlucky === undefined ? [] : lose(cluster, [unlucky]);
}

function lose(cluster: ClusterState, objects: readonly WorldObject[]): readonly WorldObject[] {
  cluster.objects = cluster.objects.filter((object) => !objects.includes(object));
  return objects;
}
