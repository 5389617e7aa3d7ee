import { DroverError, type ExposedPort, networksOverlap, parseCidr } from "@drover/contract";
import { type AllocationWish, API_SERVER, NODE_SUBNET, REGISTRY, wishForPort } from "../../domain/allocation.ts";
import type { StepContext } from "../../ports/step.ts";
import type { RegistryCredential, Settled, SettledPort } from "./config-file.ts";
import { imageOf, k3dPart } from "./declared.ts";
import type { K3dHost } from "./host.ts";
import { readCredential, readSecretText } from "./secrets.ts";
import { JOB_LABEL, OWNER_LABEL } from "./sort-out.ts";

/**
 * Decides what the spec leaves open, asks the host whether what it names is free, and reads the secrets that it names.
 * Only while the cluster is not there: it would be in its own way.
 */
export async function settle(host: K3dHost, context: StepContext): Promise<Settled> {
  const { cluster, job } = context;
  const { spec } = cluster;
  const { settings } = host.parts;
  const { token } = k3dPart(spec);
  const chooser = new Chooser(host, context);
  const settled: Settled = {
    image: imageOf(spec, settings.image),
    registryImage: settings.registryImage,
    apiPort: await chooser.apiPort(),
    ports: await chooser.ports(spec.networking?.ports ?? []),
    subnet: await chooser.subnet(),
    registryPort: await chooser.registryPort(),
    token: token === undefined ? null : await readSecretText(context, token),
    credentials: await readCredentials(context),
    timeoutSeconds: Math.ceil(settings.patienceMs / 1_000),
    labels: { [OWNER_LABEL]: cluster.id, [JOB_LABEL]: job.id },
  };
  await context.allocations.keepOnly(chooser.slots);
  return settled;
}

/** Those of the spec that are still to be published, each with a port of the host. */
export async function settlePorts(
  host: K3dHost,
  context: StepContext,
  ports: readonly ExposedPort[],
): Promise<readonly SettledPort[]> {
  return await new Chooser(host, context).ports(ports);
}

async function readCredentials(context: StepContext): Promise<ReadonlyMap<string, RegistryCredential>> {
  const credentials = new Map<string, RegistryCredential>();
  for (const { host, credential } of k3dPart(context.cluster.spec).registries?.mirrors ?? []) {
    if (credential !== undefined) credentials.set(host, await readCredential(context, credential));
  }
  return credentials;
}

class Chooser {
  readonly slots: string[] = [];
  readonly #host: K3dHost;
  readonly #context: StepContext;

  constructor(host: K3dHost, context: StepContext) {
    this.#host = host;
    this.#context = context;
  }

  async apiPort(): Promise<number> {
    const { address = "127.0.0.1", port } = this.#context.cluster.spec.networking?.apiServer ?? {};
    return await this.#port("spec.networking.apiServer.port", port, API_SERVER, address);
  }

  async registryPort(): Promise<number | null> {
    const create = k3dPart(this.#context.cluster.spec).registries?.create;
    if (create === undefined) return null;
    return await this.#port("spec.k3d.registries.create.hostPort", create.hostPort, REGISTRY, "127.0.0.1");
  }

  async ports(ports: readonly ExposedPort[]): Promise<readonly SettledPort[]> {
    const settled: SettledPort[] = [];
    for (const port of ports) {
      const { hostPort, listenAddress, containerPort, protocol } = port;
      const path = `spec.networking.ports (${containerPort}/${protocol})`;
      settled.push({ ...port, hostPort: await this.#port(path, hostPort, wishForPort(port), listenAddress) });
    }
    return settled;
  }

  async subnet(): Promise<string | null> {
    const { subnet, network } = k3dPart(this.#context.cluster.spec);
    if (network !== undefined) return null;
    if (subnet === undefined) return (await this.#reserve(NODE_SUBNET, (value) => this.#isSubnetFree(value))).value;
    if (await this.#isSubnetFree(subnet)) return subnet;
    throw new DroverError(
      "subnet-taken",
      `The network ${subnet} (spec.k3d.subnet) overlaps one that Docker has already. Choose another, or leave it out.`,
      { details: { subnet } },
    );
  }

  async #port(path: string, named: number | undefined, wish: AllocationWish, address: string): Promise<number> {
    const protocol = wish.kind === "port" ? wish.protocol : "TCP";
    const isFree = (port: number) => this.#host.parts.isPortFree(address, port, protocol);
    if (named === undefined) return Number((await this.#reserve(wish, (value) => isFree(Number(value)))).value);
    if (await isFree(named)) return named;
    throw new DroverError(
      "port-taken",
      `The port ${named} (${path}) is used by another program of this machine. End that, choose another port, or leave it out.`,
      { details: { port: named } },
    );
  }

  async #reserve(wish: AllocationWish, isFree: (value: string) => Promise<boolean>) {
    this.slots.push(wish.slot);
    return await this.#context.allocations.reserve(wish, isFree);
  }

  async #isSubnetFree(subnet: string): Promise<boolean> {
    const wanted = parseCidr(subnet);
    const networks = await this.#host.parts.engine.listNetworks([], this.#context.signal);
    return networks
      .flatMap(({ subnets }) => subnets)
      .every((other) => {
        const taken = parseCidr(other);
        return wanted !== undefined && (taken === undefined || !networksOverlap(wanted, taken));
      });
  }
}
