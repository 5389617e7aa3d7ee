import { askDocker, putFile } from "../fake-docker/fake-engine-world.ts";

export interface ListedContainer {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly Image: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly State: string;
  readonly Ports: readonly { IP: string; PrivatePort: number; PublicPort: number; Type: string }[];
}

export interface NewContainer {
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly network: string;
  /** By `80/tcp`. */
  readonly ports?: Readonly<Record<string, readonly { HostIp: string; HostPort: string }[]>>;
  readonly binds?: readonly string[];
  /** Where anonymous volumes are mounted. */
  readonly volumes?: readonly string[];
}

/** What k3d does with Docker, in few words. */
export class DockerOfK3d {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  async list(cluster: string): Promise<readonly ListedContainer[]> {
    const filters = encodeURIComponent(JSON.stringify({ label: [`k3d.cluster=${cluster}`] }));
    return (await this.ask("GET", `/containers/json?all=1&filters=${filters}`)) as readonly ListedContainer[];
  }

  async create(name: string, container: NewContainer): Promise<void> {
    const { image, labels, network, ports = {}, binds = [], volumes = [] } = container;
    await this.ask("POST", `/containers/create?name=${name}`, {
      Image: image,
      Labels: labels,
      Volumes: Object.fromEntries(volumes.map((path) => [path, {}])),
      HostConfig: { NetworkMode: network, PortBindings: ports, Binds: binds },
    });
  }

  async start(name: string): Promise<void> {
    await this.ask("POST", `/containers/${name}/start`);
  }

  async remove(name: string): Promise<void> {
    await this.ask("DELETE", `/containers/${name}?force=1&v=1`);
  }

  async put(name: string, path: string, content: string): Promise<void> {
    await putFile(this.#socket, name, path, content);
  }

  async ask(method: string, path: string, body?: object | Buffer): Promise<unknown> {
    return await askDocker(this.#socket, method, path, body);
  }
}
