import { absentSighting, type Sighting } from "../domain/sighting.ts";
import type { Container } from "../ports/container-engine.ts";

/** What is seen where no container of the cluster is; others may have its name. */
export function nothingOfOurs(foreign: readonly Container[]): Sighting {
  return absentSighting(
    foreign.length === 0
      ? "There is no container of this cluster."
      : `There is none of ours, but ${listNames(foreign)} of somebody else.`,
  );
}

export interface ContainersSeen {
  readonly complete: boolean;
  readonly all: readonly Container[];
  readonly stopped: readonly Container[];
  /** What the API of the cluster comes to, as a sentence. */
  readonly said: string;
}

/** One sentence for people about the containers of a cluster. */
export function describeContainers({ complete, all, stopped, said }: ContainersSeen): string {
  if (!complete) return `The cluster was cut off while it was made; there is ${listNames(all)}.`;
  if (stopped.length === all.length) return "All containers of the cluster are stopped.";
  const standing = stopped.length === 0 ? "" : `Not running: ${listNames(stopped)}.`;
  return [said, standing].filter((sentence) => sentence !== "").join(" ");
}

export const listNames = (containers: readonly Container[]): string =>
  containers
    .map(({ name }) => name)
    .sort()
    .join(", ");

/** By the value of a label; those without it are left out. */
export function groupByLabel(
  containers: readonly Container[],
  label: string,
): ReadonlyMap<string, readonly Container[]> {
  const groups = new Map<string, Container[]>();
  for (const container of containers) {
    const name = container.labels[label];
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [container]);
    else group.push(container);
  }
  return groups;
}
