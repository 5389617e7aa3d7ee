import { parse, stringify } from "yaml";
import type { ContainerEngine } from "../../ports/container-engine.ts";
import { isStopped, type SeenContainers } from "./sort-out.ts";

/** Where k3s writes it in every server. */
const PATH = "/output/kubeconfig.yaml";
const API_PORT = 6443;

/** Where the API of a cluster is published on the host, as a URL; null while nothing publishes it. */
export function endpointOf({ loadBalancers, servers }: SeenContainers): string | null {
  for (const { ports } of [...loadBalancers, ...servers.map(({ container }) => container)]) {
    const published = ports.find(({ containerPort }) => containerPort === API_PORT);
    if (published !== undefined) return `https://${reachable(published.hostAddress)}:${published.hostPort}`;
  }
  return null;
}

/** From this machine; what listens on every address listens on this one too. */
function reachable(address: string): string {
  if (address === "0.0.0.0" || address === "") return "127.0.0.1";
  if (address === "::") return "[::1]";
  return address.includes(":") ? `[${address}]` : address;
}

/** The administrator's kubeconfigs of clusters, read from their servers once for every server that there ever is. */
export class KubeconfigReader {
  readonly #engine: ContainerEngine;
  /** What was read, by the id of the server's container. */
  readonly #read = new Map<string, string>();

  constructor(engine: ContainerEngine) {
    this.#engine = engine;
  }

  /** Null while the cluster publishes no API, or no server has written one yet. */
  async read(clusterName: string, seen: SeenContainers, signal: AbortSignal): Promise<string | null> {
    const endpoint = endpointOf(seen);
    if (endpoint === null) return null;
    const running = seen.servers.filter(({ container }) => !isStopped(container));
    for (const { container } of running) {
      const raw = this.#read.get(container.id) ?? (await this.#fetch(container.id, signal));
      if (raw !== null) return addressKubeconfig(raw, `k3d-${clusterName}`, endpoint);
    }
    return null;
  }

  /** What belongs to containers that are no more. */
  forget(present: ReadonlySet<string>): void {
    for (const id of this.#read.keys()) if (!present.has(id)) this.#read.delete(id);
  }

  async #fetch(container: string, signal: AbortSignal): Promise<string | null> {
    const bytes = await this.#engine.readFile(container, PATH, signal);
    if (bytes === null || bytes.length === 0) return null;
    const text = new TextDecoder().decode(bytes);
    this.#read.set(container, text);
    return text;
  }
}

interface Kubeconfig {
  clusters: { name: string; cluster: { server: string } }[];
  contexts: { name: string; context: { cluster: string; user: string } }[];
  users: { name: string }[];
  "current-context": string;
}

/** What k3s writes is called default, and leads to a port within the container. */
export function addressKubeconfig(raw: string, name: string, server: string): string {
  const config = parse(raw) as Kubeconfig;
  const [cluster] = config.clusters;
  const [user] = config.users;
  if (cluster === undefined || user === undefined) throw new Error("The kubeconfig of the server has no cluster.");
  const userName = `admin@${name}`;
  return stringify({
    ...config,
    clusters: [{ ...cluster, name, cluster: { ...cluster.cluster, server } }],
    contexts: [{ name, context: { cluster: name, user: userName } }],
    users: [{ ...user, name: userName }],
    "current-context": name,
  });
}
