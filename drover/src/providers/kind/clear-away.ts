import { clearUntilGone } from "../../containers/clear-until-gone.ts";
import { listNames } from "../../containers/describe-containers.ts";
import type { Container } from "../../ports/container-engine.ts";
import type { StepContext } from "../../ports/step.ts";
import type { KindHost } from "./host.ts";
import { everyContainer, isLoadBalancer } from "./sort-out.ts";

/** Of rows in the ledger. */
export const SYSTEM = "kind";

/**
 * The containers that are ours to remove: by their mark. A load balancer has none; where no node is left beside it, it is
 * ours when the ledger says that it was about to be made and nobody else's nodes are there.
 */
export async function findBelongings(host: KindHost, context: StepContext): Promise<readonly Container[]> {
  const { cluster, ledger, signal } = context;
  const seen = await host.see(cluster, signal);
  const ours = everyContainer(seen);
  if (seen.foreign.length === 0 || !seen.foreign.every(isLoadBalancer)) return ours;
  const rows = (await ledger.list()).filter(({ system }) => system === SYSTEM);
  return [...ours, ...seen.foreign.filter(({ name }) => rows.some(({ ref }) => ref === name))];
}

export interface ClearingOptions {
  /** Whether a tool was at work a moment ago. */
  readonly aftermath: boolean;
  /** Left out: everything of ours. */
  readonly only?: (container: Container) => boolean;
}

/** Removes the containers of the cluster with their volumes, and looks until it finds none. */
export async function clearAway(host: KindHost, context: StepContext, options: ClearingOptions): Promise<void> {
  const { engine, timer } = host.parts;
  const { aftermath, only = () => true } = options;
  await clearUntilGone(
    {
      find: async () => (await findBelongings(host, context)).filter(only),
      remove: async (found) => {
        for (const { name } of found) context.log(`Removing the container ${name}.`);
        await Promise.all(found.map(({ id }) => engine.removeContainer(id, context.signal)));
      },
      nameOf: ({ name }) => name,
      aftermath,
    },
    timer,
    context.signal,
  );
}

export const networkRow = (ref: string) => ({ system: SYSTEM, kind: "network", ref });

/**
 * Those that came into being with the cluster. One that others have joined since is theirs from here on. The network that
 * kind has for all clusters is never among them.
 */
export async function removeNetworks(host: KindHost, context: StepContext): Promise<void> {
  const { engine } = host.parts;
  const { ledger, signal } = context;
  for (const { system, kind, ref } of await ledger.list()) {
    if (system !== SYSTEM || kind !== "network") continue;
    const guests = (await engine.listContainers([], signal)).filter(({ networks }) => networks.includes(ref));
    if (guests.length > 0) context.log(`The network ${ref} stays: ${listNames(guests)} use it.`);
    else if (await engine.removeNetwork(ref, signal)) context.log(`Removed the network ${ref}.`);
  }
}

/** For every container of the ledger that is not there any more, and for the networks, which were seen to before. */
export async function recordGone(host: KindHost, context: StepContext): Promise<void> {
  const left = new Set((await findBelongings(host, context)).map(({ name }) => name));
  for (const row of await context.ledger.list()) {
    if (row.system === SYSTEM && !left.has(row.ref)) await context.ledger.gone(row.id);
  }
}
