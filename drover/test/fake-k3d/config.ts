/* The configuration of k3d, v1alpha5, as far as Drover writes it; in k3d's own terms. */

interface Filtered {
  readonly nodeFilters: readonly string[];
}

export interface K3dConfig {
  readonly metadata: { readonly name: string };
  readonly servers: number;
  readonly agents: number;
  readonly image?: string;
  readonly token?: string;
  readonly network?: string;
  readonly subnet?: string;
  readonly kubeAPI: { readonly host?: string; readonly hostIP: string; readonly hostPort: string };
  readonly ports?: readonly (Filtered & { readonly port: string })[];
  readonly volumes?: readonly (Filtered & { readonly volume: string })[];
  readonly registries?: {
    readonly create?: {
      readonly name: string;
      readonly host: string;
      readonly hostPort: string;
      readonly image?: string;
    };
  };
  readonly options: {
    readonly k3d: {
      readonly timeout: string;
      readonly disableLoadbalancer: boolean;
      readonly disableRollback: boolean;
    };
    readonly k3s: { readonly extraArgs?: readonly (Filtered & { readonly arg: string })[] };
    readonly runtime: { readonly labels?: readonly (Filtered & { readonly label: string })[] };
  };
}

export interface FakeNode {
  readonly name: string;
  readonly role: "server" | "agent" | "loadbalancer";
  readonly index: number;
}

export const DEFAULT_IMAGE = "docker.io/rancher/k3s:v1.32.5-k3s1";

/** Where the image of k3s has its anonymous volumes. */
export const VOLUMES = ["/var/lib/cni", "/var/lib/kubelet", "/var/lib/rancher/k3s", "/var/log"];

export function nodeList({ metadata: { name }, servers, agents }: K3dConfig): readonly FakeNode[] {
  const nodes = (role: "server" | "agent", count: number): readonly FakeNode[] =>
    Array.from({ length: count }, (_, index) => ({ name: `k3d-${name}-${role}-${index}`, role, index }));
  return [...nodes("server", servers), ...nodes("agent", agents)];
}

/** `all`, `loadbalancer`, `server:*`, `agent:0`, `server:0:direct`. */
export function matches({ role, index }: FakeNode, filters: readonly string[]): boolean {
  return filters.some((filter) => {
    const [wanted, which = "*"] = filter.split(":");
    if (wanted === "all") return true;
    return wanted === role && (which === "*" || which === String(index));
  });
}

/** The token stands in a label, as it does with the real one. */
export function labelsOf(config: K3dConfig, role: FakeNode["role"]): Readonly<Record<string, string>> {
  const { name } = config.metadata;
  const given = (config.options.runtime.labels ?? []).map(({ label }) => {
    const [key = "", value = ""] = label.split(/=(.*)/s);
    return [key, value] as const;
  });
  return {
    app: "k3d",
    "k3d.cluster": name,
    "k3d.cluster.network": config.network ?? `k3d-${name}`,
    "k3d.cluster.token": config.token ?? "made-up-token",
    "k3d.role": role,
    "k3d.version": "v5.9.0",
    ...Object.fromEntries(given),
  };
}

type Bindings = Record<string, { HostIp: string; HostPort: string }[]>;

export function portBindings(config: K3dConfig, node: FakeNode): Bindings {
  const bindings: Bindings = {};
  const { hostIP, hostPort } = config.kubeAPI;
  const answersApi = config.options.k3d.disableLoadbalancer
    ? node.role === "server" && node.index === 0
    : node.role === "loadbalancer";
  if (answersApi) bindings["6443/tcp"] = [{ HostIp: hostIP, HostPort: hostPort }];
  for (const { port, nodeFilters } of config.ports ?? []) {
    if (matches(node, nodeFilters)) addBinding(bindings, port);
  }
  return bindings;
}

/** `127.0.0.1:8080:80/tcp` */
export function addBinding(bindings: Bindings, port: string): void {
  const [, HostIp = "", HostPort = "", container = ""] = /^(.*):(\d+):(\d+\/[a-z]+)$/.exec(port) ?? [];
  bindings[container] = [...(bindings[container] ?? []), { HostIp, HostPort }];
}
