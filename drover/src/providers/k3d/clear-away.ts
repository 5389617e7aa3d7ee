import { DroverError } from "@drover/contract";
import { EngineError } from "../../ports/container-engine.ts";
import type { StepContext } from "../../ports/step.ts";
import { sleep } from "../../ports/timer.ts";
import { k3dPart, namesOf } from "./declared.ts";
import type { K3dHost } from "./host.ts";
import { everyContainer, isHelper, type SeenContainers } from "./sort-out.ts";

/** Of rows in the ledger. */
export const SYSTEM = "k3d";

/** Everything of a cluster that is on the host and is ours to remove. */
export interface Belongings {
  /** By id. */
  readonly containers: ReadonlyMap<string, string>;
  readonly network: string | null;
  readonly volume: string | null;
  readonly seen: SeenContainers;
}

/**
 * Containers are ours by their label. The network, the volume and the tools come before the first container that has
 * one: they are ours when the ledger says that they were about to be made, and nobody else's nodes are there.
 */
export async function findBelongings(host: K3dHost, context: StepContext): Promise<Belongings> {
  const { cluster, ledger, signal } = context;
  const { engine } = host.parts;
  const names = namesOf(cluster.name);
  const seen = await host.see(cluster, signal);
  const containers = new Map(everyContainer(seen).map(({ id, name }) => [id, name]));
  const rows = (await ledger.list()).filter(({ system }) => system === SYSTEM);
  const isIntended = (kind: string, ref: string) => rows.some((row) => row.kind === kind && row.ref === ref);
  if (!isIntended("cluster", cluster.name) || seen.foreign.some((container) => !isHelper(container))) {
    return { containers, network: null, volume: null, seen };
  }
  for (const { id, name } of seen.foreign) containers.set(id, name);
  const [networks, volumes] = await Promise.all([
    isIntended("network", names.network) ? engine.listNetworks(["app=k3d"], signal) : [],
    engine.listVolumes(["app=k3d"], signal),
  ]);
  return {
    containers,
    network: networks.some(({ name }) => name === names.network) ? names.network : null,
    volume: volumes.some(({ name }) => name === names.volume) ? names.volume : null,
    seen,
  };
}

export function isNothing({ containers, network, volume }: Belongings): boolean {
  return containers.size === 0 && network === null && volume === null;
}

/** How long what k3d had asked of Docker before it was ended may take to come about. */
const AFTERMATH_MS = 500;
const MOST_ROUNDS = 20;

/** Removes everything of the cluster, and is content only when it has looked again and found nothing. */
export async function clearAway(
  host: K3dHost,
  context: StepContext,
  { aftermath }: { readonly aftermath: boolean },
): Promise<void> {
  const { cluster, signal } = context;
  let quiet = false;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = await findBelongings(host, context);
    if (!isNothing(found)) {
      await remove(host, context, found);
      quiet = false;
      continue;
    }
    if (quiet || !aftermath) return;
    quiet = true;
    await sleep(host.parts.timer, AFTERMATH_MS, signal);
    signal.throwIfAborted();
  }
  const left = await findBelongings(host, context);
  throw new DroverError(
    "objects-remain",
    `Of ${cluster.name} there is still: ${[...left.containers.values()].join(", ")}.`,
  );
}

async function remove(host: K3dHost, context: StepContext, found: Belongings): Promise<void> {
  const { signal } = context;
  const { engine } = host.parts;
  for (const name of found.containers.values()) context.log(`Removing the container ${name}.`);
  await Promise.all([...found.containers.keys()].map((id) => engine.removeContainer(id, signal)));
  if (found.network !== null) await removeNetwork(host, context, found.network);
  if (found.volume !== null) {
    context.log(`Removing the volume ${found.volume}.`);
    await engine.removeVolume(found.volume, signal);
  }
}

/** A registry that the cluster only used is on its network, too, and stays. */
async function removeNetwork(host: K3dHost, { signal, log, cluster }: StepContext, network: string): Promise<void> {
  const { engine } = host.parts;
  const used = new Set(k3dPart(cluster.spec).registries?.use ?? []);
  if (used.size > 0) {
    const guests = (await engine.listContainers([], signal)).filter(({ addresses }) => network in addresses);
    for (const { id, name } of guests) if (used.has(name)) await engine.disconnectContainer(network, id, signal);
  }
  log(`Removing the network ${network}.`);
  try {
    await engine.removeNetwork(network, signal);
  } catch (error) {
    if (!(error instanceof EngineError) || error.reason !== "refused") throw error;
    const guests = (await engine.listContainers([], signal)).filter(({ addresses }) => network in addresses);
    const names = guests.map(({ name }) => name).join(", ");
    throw new DroverError(
      "objects-remain",
      `The network ${network} is still used by ${names || "something"}. Take that off it with \`docker network disconnect\`.`,
      { cause: error },
    );
  }
}

/** For every row of the ledger that stands for something on the host: it was looked for and is not there. */
export async function recordGone({ ledger }: StepContext): Promise<void> {
  for (const row of await ledger.list()) if (row.system === SYSTEM) await ledger.gone(row.id);
}
