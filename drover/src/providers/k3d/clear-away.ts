import { DroverError } from "@drover/contract";
import { clearUntilGone } from "../../containers/clear-until-gone.ts";
import { type Container, EngineError } from "../../ports/container-engine.ts";
import type { StepContext } from "../../ports/step.ts";
import { k3dPart, namesOf } from "./declared.ts";
import type { K3dHost } from "./host.ts";
import { everyContainer, isHelper } from "./sort-out.ts";

/** Of rows in the ledger. */
export const SYSTEM = "k3d";

/** Something of a cluster that is on the host and is ours to remove. */
export interface Belonging {
  readonly kind: "container" | "network" | "volume";
  readonly name: string;
  /** Of a container, so that never another one of its name is meant. */
  readonly id?: string;
}

/**
 * Containers are ours by their label. The network, the volume and the tools come before the first container that has
 * one: they are ours when the ledger says that they were about to be made, and nobody else's nodes are there.
 */
export async function findBelongings(host: K3dHost, context: StepContext): Promise<readonly Belonging[]> {
  const { cluster, ledger, signal } = context;
  const { engine } = host.parts;
  const names = namesOf(cluster.name);
  const seen = await host.see(cluster, signal);
  const containers = everyContainer(seen).map(toBelonging);
  const rows = (await ledger.list()).filter(({ system }) => system === SYSTEM);
  const isIntended = (kind: string, ref: string) => rows.some((row) => row.kind === kind && row.ref === ref);
  if (!isIntended("cluster", cluster.name) || seen.foreign.some((container) => !isHelper(container))) return containers;
  const [networks, volumes] = await Promise.all([
    isIntended("network", names.network) ? engine.listNetworks(["app=k3d"], signal) : [],
    engine.listVolumes(["app=k3d"], signal),
  ]);
  return [
    ...containers,
    ...seen.foreign.map(toBelonging),
    ...networks.filter(({ name }) => name === names.network).map(({ name }) => belonging("network", name)),
    ...volumes.filter(({ name }) => name === names.volume).map(({ name }) => belonging("volume", name)),
  ];
}

const toBelonging = ({ id, name }: Container): Belonging => ({ kind: "container", name, id });
const belonging = (kind: Belonging["kind"], name: string): Belonging => ({ kind, name });

/** Removes everything of the cluster, and is content only when it has looked again and found nothing. */
export async function clearAway(
  host: K3dHost,
  context: StepContext,
  { aftermath }: { readonly aftermath: boolean },
): Promise<void> {
  await clearUntilGone(
    {
      find: () => findBelongings(host, context),
      remove: (found) => remove(host, context, found),
      nameOf: ({ kind, name }) => `the ${kind} ${name}`,
      aftermath,
    },
    host.parts.timer,
    context.signal,
  );
}

async function remove(host: K3dHost, context: StepContext, found: readonly Belonging[]): Promise<void> {
  const { signal } = context;
  const { engine } = host.parts;
  for (const { kind, name } of found) context.log(`Removing the ${kind} ${name}.`);
  const of = (kind: Belonging["kind"]) => found.filter((one) => one.kind === kind).map(({ id, name }) => id ?? name);
  await Promise.all(of("container").map((id) => engine.removeContainer(id, signal)));
  for (const network of of("network")) await removeNetwork(host, context, network);
  await Promise.all(of("volume").map((name) => engine.removeVolume(name, signal)));
}

/** A registry that the cluster only used is on its network, too, and stays. */
async function removeNetwork(host: K3dHost, { signal, cluster }: StepContext, network: string): Promise<void> {
  const { engine } = host.parts;
  const findGuests = async () =>
    (await engine.listContainers([], signal)).filter(({ addresses }) => network in addresses);
  const used = new Set(k3dPart(cluster.spec).registries?.use ?? []);
  if (used.size > 0) {
    const guests = (await findGuests()).filter(({ name }) => used.has(name));
    for (const { id } of guests) await engine.disconnectContainer(network, id, signal);
  }
  try {
    await engine.removeNetwork(network, signal);
  } catch (error) {
    if (!(error instanceof EngineError) || error.reason !== "refused") throw error;
    const names = (await findGuests()).map(({ name }) => name).join(", ");
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
