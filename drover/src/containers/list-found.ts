import type { Container } from "../ports/container-engine.ts";
import type { FoundCluster } from "../ports/provider.ts";

/**
 * Every cluster on the host, by the name that the tool gave it: ours by the mark of its nodes, with the unmarked helpers
 * beside them; those without any mark are somebody else's.
 */
export function listFound(
  byName: ReadonlyMap<string, readonly Container[]>,
  ownerOf: (container: Container) => string | null,
): readonly FoundCluster[] {
  return [...byName].flatMap(([name, containers]) => {
    const owners = new Set(containers.map(ownerOf).filter((owner) => owner !== null));
    const describe = (clusterId: string | null): FoundCluster => {
      const own = containers.filter((container) => [clusterId, null].includes(ownerOf(container)));
      return { name, clusterId, detail: { containers: own.map((container) => container.name).sort() } };
    };
    return owners.size === 0 ? [describe(null)] : [...owners].map(describe);
  });
}
