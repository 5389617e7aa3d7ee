import type { ClusterSpec, ExposedPort } from "@drover/contract";
import type { SettledPort } from "../../containers/choose-ports.ts";
import type { JsonObject } from "../../domain/plan.ts";
import { declaredNodes, k3dPart, portTarget } from "./declared.ts";
import { k3sArguments } from "./k3s-arguments.ts";
import { type RegistryCredential, registriesOf } from "./registries-config.ts";

/** What a spec leaves open, decided, and what it only names, read. */
export interface Settled {
  /** Undefined: k3d's own. */
  readonly image: string | undefined;
  /** Null: k3d's own. */
  readonly registryImage: string | null;
  readonly apiPort: number;
  /** The ports of the spec in their order, each with its port on the host. */
  readonly ports: readonly SettledPort[];
  /** Null where the nodes join a network that exists. */
  readonly subnet: string | null;
  readonly registryPort: number | null;
  readonly token: string | null;
  /** By the host that is mirrored. */
  readonly credentials: ReadonlyMap<string, RegistryCredential>;
  readonly timeoutSeconds: number;
  /** What every node container is labelled with. */
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * The configuration file of `k3d cluster create`, as JSON, which is YAML too. It may hold secrets: it goes to the
 * program's input, never into a file or an argument.
 */
export function configFileOf(name: string, spec: ClusterSpec, settled: Settled): string {
  const k3d = k3dPart(spec);
  const { image, subnet, token, timeoutSeconds } = settled;
  const registries = registriesOf(k3d, settled);
  const document: JsonObject = {
    apiVersion: "k3d.io/v1alpha5",
    kind: "Simple",
    metadata: { name },
    servers: k3d.servers,
    agents: k3d.agents,
    ...(image === undefined ? {} : { image }),
    ...(token === null ? {} : { token }),
    ...networkOf(k3d.network, subnet),
    kubeAPI: apiOf(spec, settled.apiPort),
    ports: settled.ports.map((port) => ({
      port: formatPort(port),
      nodeFilters: [NODE_OF_PORT[portTarget(spec, port)]],
    })),
    volumes: (k3d.volumes ?? []).map(({ source, destination, readOnly, nodes }) => ({
      volume: `${source}:${destination}${readOnly ? ":ro" : ""}`,
      nodeFilters: nodes ?? everyNode(spec),
    })),
    env: (k3d.env ?? []).map(({ name: variable, value, nodes }) => ({
      envVar: `${variable}=${value}`,
      nodeFilters: nodes ?? everyNode(spec),
    })),
    hostAliases: (k3d.hostAliases ?? []).map(({ ip, hostnames }) => ({ ip, hostnames })),
    ...(registries === null ? {} : { registries }),
    options: {
      // Rolling back would remove the log that says why.
      k3d: {
        wait: true,
        timeout: `${timeoutSeconds}s`,
        disableLoadbalancer: !k3d.loadBalancer,
        disableRollback: true,
      },
      // Labels of nodes are given later, by us alone: what kubelet gives, nobody can take away again.
      k3s: { extraArgs: k3sArguments(spec) },
      kubeconfig: { updateDefaultKubeconfig: false, switchCurrentContext: false },
      runtime: {
        ...(k3d.serverMemory === undefined ? {} : { serversMemory: k3d.serverMemory }),
        ...(k3d.agentMemory === undefined ? {} : { agentsMemory: k3d.agentMemory }),
        labels: Object.entries(settled.labels).map(([key, value]) => ({
          label: `${key}=${value}`,
          nodeFilters: ["all"],
        })),
      },
    },
  };
  return JSON.stringify(document);
}

/** As k3d and Docker write published ports. */
export function formatPort({ listenAddress, hostPort, containerPort, protocol }: SettledPort): string {
  const address = listenAddress.includes(":") ? `[${listenAddress}]` : listenAddress;
  return `${address}:${hostPort}:${containerPort}/${protocol.toLowerCase()}`;
}

/** Past the load balancer, as the spec says which node answers. */
const NODE_OF_PORT: Readonly<Record<NonNullable<ExposedPort["node"]>, string>> = {
  loadbalancer: "loadbalancer",
  controlplane: "server:0:direct",
  worker: "agent:0:direct",
};

function networkOf(network: string | undefined, subnet: string | null): JsonObject {
  if (network !== undefined) return { network };
  return subnet === null ? {} : { subnet };
}

/** Where other machines may come in there is no one name that all of them would use. */
function apiOf(spec: ClusterSpec, port: number): JsonObject {
  const address = spec.networking?.apiServer?.address ?? "127.0.0.1";
  const named = address === "0.0.0.0" || address === "::" ? {} : { host: address };
  return { ...named, hostIP: address, hostPort: String(port) };
}

/** Without the load balancer, which k3d counts as a node. */
function everyNode(spec: ClusterSpec): readonly string[] {
  const roles = new Set(declaredNodes(spec).map(({ role }) => role));
  return [...roles].map((role) => `${role}:*`);
}
