import { DroverError, type ExposedPort } from "@drover/contract";
import { type AllocationWish, API_SERVER, wishForPort } from "../domain/allocation.ts";
import type { StepContext } from "../ports/step.ts";
import type { ContainerParts } from "./container-parts.ts";

/** A port of the spec with its port on the host. */
export type SettledPort = ExposedPort & { readonly hostPort: number };

/**
 * Ports of the host for a cluster that is about to be made. One that the spec names is asked for, a second before it is
 * needed; one that it leaves open is reserved, and stays the same for the life of the cluster.
 */
export class PortChooser {
  /** Of everything that was reserved. */
  readonly slots: string[] = [];
  readonly #parts: ContainerParts;
  readonly #context: StepContext;

  constructor(parts: ContainerParts, context: StepContext) {
    this.#parts = parts;
    this.#context = context;
  }

  async apiPort(): Promise<number> {
    const { address = "127.0.0.1", port } = this.#context.cluster.spec.networking?.apiServer ?? {};
    return await this.choose("spec.networking.apiServer.port", port, API_SERVER, address);
  }

  async ports(ports: readonly ExposedPort[]): Promise<readonly SettledPort[]> {
    const settled: SettledPort[] = [];
    for (const port of ports) {
      const { hostPort, listenAddress, containerPort, protocol } = port;
      const path = `spec.networking.ports (${containerPort}/${protocol})`;
      settled.push({ ...port, hostPort: await this.choose(path, hostPort, wishForPort(port), listenAddress) });
    }
    return settled;
  }

  async choose(path: string, named: number | undefined, wish: AllocationWish, address: string): Promise<number> {
    const protocol = wish.kind === "port" ? wish.protocol : "TCP";
    const isFree = (port: number): Promise<boolean> => this.#parts.isPortFree(address, port, protocol);
    if (named === undefined) {
      this.slots.push(wish.slot);
      return Number((await this.#context.allocations.reserve(wish, (value) => isFree(Number(value)))).value);
    }
    if (await isFree(named)) return named;
    throw new DroverError(
      "port-taken",
      `The port ${named} (${path}) is used by another program of this machine. End that, choose another port, or leave it out.`,
      { details: { port: named } },
    );
  }
}
