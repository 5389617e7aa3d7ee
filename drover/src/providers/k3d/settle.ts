import { DroverError, networksOverlap, parseCidr } from "@drover/contract";
import { PortChooser } from "../../containers/choose-ports.ts";
import { readCredential, readSecretText } from "../../containers/read-secret.ts";
import { NODE_SUBNET, REGISTRY } from "../../domain/allocation.ts";
import type { StepContext } from "../../ports/step.ts";
import type { Settled } from "./config-file.ts";
import { imageOf, k3dPart } from "./declared.ts";
import type { K3dHost } from "./host.ts";
import type { RegistryCredential } from "./registries-config.ts";
import { JOB_LABEL, OWNER_LABEL } from "./sort-out.ts";

/**
 * Decides what the spec leaves open, asks the host whether what it names is free, and reads the secrets that it names.
 * Only while the cluster is not there: it would be in its own way.
 */
export async function settle(host: K3dHost, context: StepContext): Promise<Settled> {
  const { cluster, job } = context;
  const { spec } = cluster;
  const { settings } = host.parts;
  const { token, network, subnet } = k3dPart(spec);
  const chooser = new PortChooser(host.parts, context);
  const settled: Settled = {
    image: imageOf(spec, settings.image),
    registryImage: settings.registryImage,
    apiPort: await chooser.apiPort(),
    ports: await chooser.ports(spec.networking?.ports ?? []),
    subnet: network === undefined ? await chooseSubnet(host, context) : null,
    registryPort: await chooseRegistryPort(chooser, context),
    token: token === undefined ? null : await readSecretText(context, token),
    credentials: await readCredentials(context),
    timeoutSeconds: Math.ceil(settings.patienceMs / 1_000),
    labels: { [OWNER_LABEL]: cluster.id, [JOB_LABEL]: job.id },
  };
  const isChosen = network === undefined && subnet === undefined;
  await context.allocations.keepOnly([...chooser.slots, ...(isChosen ? [NODE_SUBNET.slot] : [])]);
  return settled;
}

async function chooseRegistryPort(chooser: PortChooser, { cluster }: StepContext): Promise<number | null> {
  const create = k3dPart(cluster.spec).registries?.create;
  if (create === undefined) return null;
  return await chooser.choose("spec.k3d.registries.create.hostPort", create.hostPort, REGISTRY, "127.0.0.1");
}

async function chooseSubnet(host: K3dHost, context: StepContext): Promise<string> {
  const { subnet } = k3dPart(context.cluster.spec);
  const isFree = (value: string): Promise<boolean> => isSubnetFree(host, value, context.signal);
  if (subnet === undefined) return (await context.allocations.reserve(NODE_SUBNET, isFree)).value;
  if (await isFree(subnet)) return subnet;
  throw new DroverError(
    "subnet-taken",
    `The network ${subnet} (spec.k3d.subnet) overlaps one that Docker has already. Choose another, or leave it out.`,
    { details: { subnet } },
  );
}

async function isSubnetFree(host: K3dHost, subnet: string, signal: AbortSignal): Promise<boolean> {
  const wanted = parseCidr(subnet);
  const networks = await host.parts.engine.listNetworks([], signal);
  return networks
    .flatMap(({ subnets }) => subnets)
    .every((other) => {
      const taken = parseCidr(other);
      return wanted !== undefined && (taken === undefined || !networksOverlap(wanted, taken));
    });
}

async function readCredentials(context: StepContext): Promise<ReadonlyMap<string, RegistryCredential>> {
  const credentials = new Map<string, RegistryCredential>();
  for (const { host, credential } of k3dPart(context.cluster.spec).registries?.mirrors ?? []) {
    if (credential !== undefined) credentials.set(host, await readCredential(context, credential));
  }
  return credentials;
}
