import { parse, stringify } from "yaml";
import type { Container, ContainerEngine } from "../ports/container-engine.ts";

export interface KubeconfigRequest {
  /** What cluster, context and user are to be called. */
  readonly name: string;
  /** Where the API is published; see `publishedApi`. */
  readonly server: string;
  /** The nodes that have one, best first. */
  readonly nodes: readonly Container[];
}

/** The administrator's kubeconfigs, read from nodes over the engine's API, once for every node that there ever is. */
export class KubeconfigReader {
  readonly #engine: ContainerEngine;
  readonly #path: string;
  /** By the id of the container. */
  readonly #read = new Map<string, string>();

  constructor(engine: ContainerEngine, path: string) {
    this.#engine = engine;
    this.#path = path;
  }

  /** Null while no node has written one. */
  async read({ name, server, nodes }: KubeconfigRequest, signal: AbortSignal): Promise<string | null> {
    for (const { id } of nodes) {
      const raw = this.#read.get(id) ?? (await this.#fetch(id, signal));
      if (raw !== null) return addressKubeconfig(raw, name, server);
    }
    return null;
  }

  /** All but those of these containers. */
  forgetOthers(ids: ReadonlySet<string>): void {
    for (const id of this.#read.keys()) if (!ids.has(id)) this.#read.delete(id);
  }

  async #fetch(container: string, signal: AbortSignal): Promise<string | null> {
    const bytes = await this.#engine.readFile(container, this.#path, signal);
    if (bytes === null || bytes.length === 0) return null;
    const text = new TextDecoder().decode(bytes);
    this.#read.set(container, text);
    return text;
  }
}

interface Kubeconfig {
  readonly clusters: readonly { readonly name: string; readonly cluster: Readonly<Record<string, unknown>> }[];
  readonly users: readonly { readonly name: string }[];
}

/** Nodes write theirs for themselves: with names that all clusters share, and an address that only they reach. */
export function addressKubeconfig(raw: string, name: string, server: string): string {
  const config = parse(raw) as Kubeconfig;
  const [cluster] = config.clusters;
  const [user] = config.users;
  if (cluster === undefined || user === undefined) throw new Error("The kubeconfig of the node names no cluster.");
  return stringify({
    ...config,
    clusters: [{ ...cluster, name, cluster: { ...cluster.cluster, server } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    users: [{ ...user, name }],
    "current-context": name,
  });
}
