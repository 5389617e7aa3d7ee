import { parse } from "yaml";
import { type KubernetesApi, KubernetesError, type KubernetesLook } from "../../src/ports/kubernetes-api.ts";
import { FakeObjects } from "../fake-kubernetes/fake-objects.ts";
import type { FakeDocker } from "./daemon.ts";
import type { FakeContainer } from "./state.ts";

/** How a tool labels the containers of a cluster. */
export interface ClusterLabels {
  readonly cluster: string;
  readonly role: string;
  readonly controlPlane: string;
  readonly worker: string;
}

/**
 * The APIs of all clusters on a fake Docker daemon: one answers where a container publishes port 6443 while most of its
 * control planes run, and has those nodes whose containers run or have run.
 */
export class FakeClusterApis implements KubernetesApi {
  readonly #daemon: FakeDocker;
  readonly #labels: ClusterLabels;
  readonly #objects = new Map<string, FakeObjects>();
  /** Nodes that stay as they are: never ready. */
  readonly unready = new Set<string>();

  constructor(daemon: FakeDocker, labels: ClusterLabels) {
    this.#daemon = daemon;
    this.#labels = labels;
  }

  /** The objects of a cluster, to put something there or to look. They go with its first control plane. */
  objectsOf(cluster: string): FakeObjects {
    const key = this.#nodes(cluster).find((node) => this.#isControlPlane(node))?.id ?? "";
    const known = this.#objects.get(key) ?? new FakeObjects();
    this.#objects.set(key, known);
    return known;
  }

  async look({ kubeconfig }: { kubeconfig: string }, { signal }: { signal: AbortSignal }): Promise<KubernetesLook> {
    signal.throwIfAborted();
    const { cluster, server, version } = this.#find(kubeconfig);
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
      ...{ ready: true, version, endpoint: server, useFrom: null, unwellPods: [], withheld: [] },
      nodes: names.map((name) => ({
        ...{ name, version, address: null, cpu: amount, memory: amount, pods: amount },
        status: running.has(name) && !this.unready.has(name) ? "Ready" : "NotReady",
        roles: [],
      })),
      certificates: { server: null, client: null },
    };
  }

  async get(target: { kubeconfig: string }, path: string): Promise<unknown> {
    return this.#handle(target, "GET", path, undefined);
  }

  async patch(
    target: { kubeconfig: string },
    path: string,
    body: unknown,
    { apply = false }: { apply?: boolean },
  ): Promise<unknown> {
    const known = this.#handle(target, "GET", path, undefined);
    return this.#handle(target, "PATCH", path, apply ? applyLabels(known, body) : body);
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

  #find(kubeconfig: string): { readonly cluster: string; readonly server: string; readonly version: string } {
    const config = parse(kubeconfig) as { clusters: { cluster: { server: string } }[] };
    const server = config.clusters[0]?.cluster.server ?? "";
    const port = Number(new URL(server).port);
    const front = [...this.#daemon.state.containers.values()].find(({ ports }) =>
      ports.some(({ PrivatePort, PublicPort }) => PrivatePort === 6443 && PublicPort === port),
    );
    const cluster = front?.labels[this.#labels.cluster] ?? "";
    const controlPlanes = this.#nodes(cluster).filter((node) => this.#isControlPlane(node));
    const up = controlPlanes.filter(isUp);
    if (front === undefined || up.length * 2 <= controlPlanes.length) {
      throw new KubernetesError("unreachable", `Nobody answers at ${server}.`);
    }
    const [, version = "v1.34.4"] = /:(v\d+\.\d+\.\d+)/.exec(up[0]?.image ?? "") ?? [];
    return { cluster, server, version };
  }

  #nodes(cluster: string): readonly FakeContainer[] {
    const { cluster: label, role, controlPlane, worker } = this.#labels;
    return [...this.#daemon.state.containers.values()].filter(
      ({ labels }) => labels[label] === cluster && [controlPlane, worker].includes(labels[role] ?? ""),
    );
  }

  #isControlPlane({ labels }: FakeContainer): boolean {
    return labels[this.#labels.role] === this.#labels.controlPlane;
  }

  /** As kubelets do when they come up. */
  #register(cluster: string): void {
    const objects = this.objectsOf(cluster);
    for (const { name } of this.#nodes(cluster).filter(isUp)) {
      if (objects.find(`/api/v1/nodes/${name}`) === null) objects.addNode(name);
    }
  }
}

interface Labelled {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly { readonly fieldsV1: { "f:metadata": { "f:labels": object } } }[];
  };
}

/** As a server-side apply does it: what was applied before and is no more goes; who applied what is noted. */
function applyLabels(known: unknown, body: unknown): object {
  const owned = ((known as Labelled | null)?.metadata.managedFields ?? []).flatMap(({ fieldsV1 }) =>
    Object.keys(fieldsV1["f:metadata"]["f:labels"]).map((key) => key.slice("f:".length)),
  );
  const labels = (body as Labelled).metadata.labels ?? {};
  const dropped = owned.filter((name) => !(name in labels)).map((name) => [name, null] as const);
  const fields = Object.fromEntries(Object.keys(labels).map((name) => [`f:${name}`, {}]));
  const managedFields = [{ manager: "drover", fieldsV1: { "f:metadata": { "f:labels": fields } } }];
  return { metadata: { labels: { ...Object.fromEntries(dropped), ...labels }, managedFields } };
}

const isUp = ({ state }: FakeContainer): boolean => state === "running";
