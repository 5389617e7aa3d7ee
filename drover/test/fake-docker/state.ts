import { randomBytes } from "node:crypto";

/* What the fake Docker daemon holds, in the daemon's own terms. */

export interface PortBinding {
  readonly HostIp?: string;
  readonly HostPort?: string;
}

export interface FakeMount {
  readonly Type: "bind" | "volume";
  readonly Name?: string;
  readonly Source: string;
  readonly Destination: string;
  readonly RW: boolean;
}

export interface FakeContainer {
  readonly id: string;
  name: string;
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly tty: boolean;
  /** By `6443/tcp`. */
  readonly bindings: Readonly<Record<string, readonly PortBinding[]>>;
  readonly mounts: readonly FakeMount[];
  readonly network: string;
  readonly created: number;
  readonly files: Map<string, Buffer>;
  readonly log: string[];
  state: "created" | "running" | "exited";
  address: string;
  /** Those that it holds while it runs. */
  ports: readonly { IP: string; PrivatePort: number; PublicPort: number; Type: string }[];
}

export interface FakeNetwork {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly subnet: string;
}

export interface FakeVolume {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** An answer of the daemon that is no success. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const newId = (): string => randomBytes(32).toString("hex");

export class FakeState {
  readonly containers = new Map<string, FakeContainer>();
  readonly networks = new Map<string, FakeNetwork>();
  readonly volumes = new Map<string, FakeVolume>();
  readonly images: Set<string>;
  #addresses = 1;

  constructor(images: readonly string[]) {
    this.images = new Set(images);
    this.networks.set("bridge", { id: newId(), name: "bridge", labels: {}, subnet: "172.17.0.0/16" });
  }

  /** By id, by the beginning of an id, or by name. */
  findContainer(ref: string): FakeContainer {
    const all = [...this.containers.values()];
    const found = all.find(({ id, name }) => id === ref || name === ref) ?? all.find(({ id }) => id.startsWith(ref));
    if (found === undefined) throw new Refusal(404, `No such container: ${ref}`);
    return found;
  }

  findNetwork(ref: string): FakeNetwork {
    const found = [...this.networks.values()].find(({ id, name }) => id === ref || name === ref);
    if (found === undefined) throw new Refusal(404, `network ${ref} not found`);
    return found;
  }

  /** Another one each time, as after a restart of the host. */
  nextAddress(network: string): string {
    const { subnet } = this.findNetwork(network);
    this.#addresses += 1;
    return subnet.replace(/\.\d+\.\d+\/\d+$/, `.${Math.floor(this.#addresses / 250)}.${(this.#addresses % 250) + 2}`);
  }
}
