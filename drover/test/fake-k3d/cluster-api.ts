import { parse } from "yaml";
import { type KubernetesApi, KubernetesError, type KubernetesLook } from "../../src/ports/kubernetes-api.ts";
import type { FakeDocker } from "../fake-docker/daemon.ts";
import type { FakeContainer } from "../fake-docker/state.ts";
import { FakeObjects } from "../fake-kubernetes/fake-objects.ts";

/**
 * The APIs of all clusters on a fake Docker daemon: one answers where a container publishes port 6443 while a server
 * runs behind it, and has those nodes whose containers run or have run.
 */
export class FakeClusterApis implements KubernetesApi {
  readonly #daemon: FakeDocker;
  readonly #objects = new Map<string, FakeObjects>();

  constructor(daemon: FakeDocker) {
    this.#daemon = daemon;
  }

  /** The objects of a cluster, to put something there or to look. */
  objectsOf(cluster: string): FakeObjects {
    const known = this.#objects.get(cluster) ?? new FakeObjects();
    this.#objects.set(cluster, known);
    return known;
  }

  async look({ kubeconfig }: { kubeconfig: string }): Promise<KubernetesLook> {
    const { cluster, server } = this.#find(kubeconfig);
    this.#register(cluster);
    const running = new Set(
      this.#nodes(cluster)
        .filter(isUp)
        .map(({ name }) => name),
    );
    const names = this.objectsOf(cluster)
      .paths.filter((path) => path.startsWith("/api/v1/nodes/"))
      .map((path) => path.slice("/api/v1/nodes/".length));
    const amount = { capacity: 1, used: null };
    return {
      ready: true,
      version: "v1.34.4",
      endpoint: server,
      nodes: names.map((name) => ({
        ...{ name, version: "v1.34.4", address: null, cpu: amount, memory: amount, pods: amount },
        status: running.has(name) ? "Ready" : "NotReady",
        roles: name.includes("-server-") ? ["control-plane"] : [],
      })),
      useFrom: null,
      unwellPods: [],
      withheld: [],
      certificates: { server: null, client: null },
    };
  }

  async get(target: { kubeconfig: string }, path: string): Promise<unknown> {
    return this.#handle(target, "GET", path, undefined);
  }

  async patch(target: { kubeconfig: string }, path: string, body: unknown): Promise<unknown> {
    return this.#handle(target, "PATCH", path, body);
  }

  async post(target: { kubeconfig: string }, path: string, body: unknown): Promise<unknown> {
    return this.#handle(target, "POST", path, body);
  }

  async delete(target: { kubeconfig: string }, path: string): Promise<boolean> {
    return this.#handle(target, "DELETE", path, undefined) !== null;
  }

  #handle({ kubeconfig }: { kubeconfig: string }, method: string, path: string, body: unknown): unknown {
    const { cluster } = this.#find(kubeconfig);
    this.#register(cluster);
    const url = new URL(path, "https://cluster");
    const answer = this.objectsOf(cluster).handle(method, url.pathname, url.searchParams, body);
    if (answer.status === 404) return null;
    if (answer.status >= 400) throw new KubernetesError("refused", JSON.stringify(answer.body), answer.status);
    return answer.body;
  }

  #find(kubeconfig: string): { readonly cluster: string; readonly server: string } {
    const config = parse(kubeconfig) as { clusters: { cluster: { server: string } }[] };
    const server = config.clusters[0]?.cluster.server ?? "";
    const port = Number(new URL(server).port);
    const front = [...this.#daemon.state.containers.values()].find(({ ports }) =>
      ports.some(({ PrivatePort, PublicPort }) => PrivatePort === 6443 && PublicPort === port),
    );
    const cluster = front?.labels["k3d.cluster"] ?? "";
    const servers = this.#nodes(cluster).filter(({ labels }) => labels["k3d.role"] === "server");
    const up = servers.filter(isUp).length;
    if (front === undefined || up * 2 <= servers.length) {
      throw new KubernetesError("unreachable", `Nobody answers at ${server}.`);
    }
    return { cluster, server };
  }

  #nodes(cluster: string): readonly FakeContainer[] {
    return [...this.#daemon.state.containers.values()].filter(
      ({ labels }) => labels["k3d.cluster"] === cluster && /^(server|agent)$/.test(labels["k3d.role"] ?? ""),
    );
  }

  /** As kubelets do when they come up. */
  #register(cluster: string): void {
    const objects = this.objectsOf(cluster);
    for (const { name } of this.#nodes(cluster).filter(isUp)) {
      if (objects.find(`/api/v1/nodes/${name}`) === null) objects.addNode(name);
    }
  }
}

const isUp = ({ state }: FakeContainer): boolean => state === "running";
