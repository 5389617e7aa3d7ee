import type { ClusterSpec } from "@drover/contract";
import type { SettledPort } from "../../containers/choose-ports.ts";
import { CERTIFICATES_FOLDER } from "../../containers/registry-mirrors.ts";
import type { JsonObject } from "../../domain/plan.ts";
import { type DeclaredNode, declaredNodes, kindPart, portTarget } from "./declared.ts";

/** What a spec leaves open, decided. */
export interface Settled {
  /** Undefined: kind's own. */
  readonly image: string | undefined;
  readonly apiPort: number;
  /** The ports of the spec in their order, each with its port on the host. */
  readonly ports: readonly SettledPort[];
  /** A read-only folder of the host that every node sees: whose the node is can be told by it from the start. */
  readonly mark: { readonly hostPath: string; readonly containerPath: string };
}

/** The configuration of `kind create cluster`, as JSON, which is YAML too. Without secrets. */
export function configFileOf(name: string, spec: ClusterSpec, settled: Settled): string {
  const kind = kindPart(spec);
  const document: JsonObject = {
    kind: "Cluster",
    apiVersion: "kind.x-k8s.io/v1alpha4",
    name,
    nodes: declaredNodes(name, spec).map((node) => nodeOf(node, spec, settled)),
    networking: networkingOf(spec, settled.apiPort),
    featureGates: kind.featureGates ?? {},
    runtimeConfig: kind.runtimeConfig ?? {},
    containerdConfigPatches: [...registryPatches(kind.registries), ...(kind.containerdPatches ?? [])],
    kubeadmConfigPatches: [...domainPatches(spec), ...(kind.kubeadmPatches ?? [])],
  };
  return JSON.stringify(document);
}

function nodeOf({ role, index }: DeclaredNode, spec: ClusterSpec, { image, ports, mark }: Settled): JsonObject {
  const { mounts = [] } = kindPart(spec);
  const mounted = mounts.filter(({ nodes = "all" }) => nodes === "all" || MOUNT_ROLES[nodes] === role);
  const published = index === 0 ? ports.filter((port) => portTarget(port) === role) : [];
  return {
    role,
    ...(image === undefined ? {} : { image }),
    extraMounts: [
      { ...mark, readOnly: true },
      ...mounted.map(({ hostPath, containerPath, readOnly }) => ({ hostPath, containerPath, readOnly })),
    ],
    extraPortMappings: published.map(({ containerPort, hostPort, listenAddress, protocol }) => ({
      ...{ containerPort, hostPort, listenAddress, protocol },
    })),
  };
}

const MOUNT_ROLES = { controlplane: "control-plane", worker: "worker" } as const;

function networkingOf({ networking }: ClusterSpec, apiServerPort: number): JsonObject {
  if (networking === undefined) return { apiServerPort };
  const { podSubnet, serviceSubnet, kubeProxyMode, cni, apiServer } = networking;
  return {
    ipFamily: podSubnet.includes(":") ? "ipv6" : "ipv4",
    apiServerAddress: apiServer?.address ?? "127.0.0.1",
    apiServerPort,
    podSubnet,
    serviceSubnet,
    kubeProxyMode,
    disableDefaultCNI: cni.type !== "builtin",
  };
}

/** Node images of older kinds look for mirrors nowhere unless they are told to. */
function registryPatches(registries: ReturnType<typeof kindPart>["registries"] = []): readonly string[] {
  if (registries.length === 0) return [];
  return [`[plugins."io.containerd.grpc.v1.cri".registry]\n  config_path = "${CERTIFICATES_FOLDER}"\n`];
}

const USUAL_DOMAIN = "cluster.local";

/** kind has no word for it, but kubeadm and the kubelets have. */
function domainPatches({ networking }: ClusterSpec): readonly string[] {
  const domain = networking?.dnsDomain ?? USUAL_DOMAIN;
  if (domain === USUAL_DOMAIN) return [];
  return [
    JSON.stringify({ kind: "ClusterConfiguration", networking: { dnsDomain: domain } }),
    JSON.stringify({ kind: "KubeletConfiguration", clusterDomain: domain }),
  ];
}
