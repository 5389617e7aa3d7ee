import type { ExposedPort } from "@drover/contract";
import { isSameJson } from "./canonical.ts";
import type { ChangeRule, Judge } from "./spec-rules.ts";
import { judged, rule, rules } from "./spec-rules.ts";

/* kind and k3d: the nodes are containers of one host, and most of what they are is fixed when they are made. */

const FIXED_NETWORK = "The network is fixed when the nodes are made.";
const FIXED_NODES = "It is fixed when the nodes are made.";

const version: Judge = ({ after }) =>
  after === undefined
    ? { change: "nothing", reason: "Without a version the cluster keeps the one it has." }
    : { change: "recreate", reason: "The version is that of the node image; the nodes have to be made anew." };

const sharedRules: readonly ChangeRule[] = [
  judged("spec.kubernetes.version", version),
  rule("spec.placement.host", "recreate", "The nodes are containers of one host; on another host they are made anew."),
  ...rules(
    "spec.networking",
    ["podSubnet", "serviceSubnet", "dnsDomain", "kubeProxyMode", "cni.type", "cni.manifest"],
    "recreate",
    FIXED_NETWORK,
  ),
  ...rules("spec.networking", ["apiServer.address", "apiServer.port"], "recreate", "A published port cannot be moved."),
];

export const KIND_RULES: readonly ChangeRule[] = [
  ...sharedRules,
  rule("spec.networking.ports", "recreate", "kind publishes ports only when it makes the nodes."),
  ...rules("spec.kind", ["controlPlanes", "workers"], "recreate", "kind can neither add nor remove nodes."),
  ...rules("spec.kind", ["image", "mounts", "network", "registries.**"], "recreate", FIXED_NODES),
  ...rules(
    "spec.kind",
    ["featureGates.**", "runtimeConfig.**", "containerdPatches", "kubeadmPatches"],
    "recreate",
    "It is read once, when the nodes are made.",
  ),
  rule("spec.kind.nodeLabels.**", "in-place", "Labels are set on the running nodes."),
  rule("spec.kind.preloadImages", "in-place", "Images are loaded into the running nodes."),
];

/** k3d can add ports to its load balancer, which is replaced for that; it cannot take any away. */
const k3dPorts: Judge = ({ before, after }, specs) => {
  const old = (before ?? []) as readonly ExposedPort[];
  const wanted = (after ?? []) as readonly ExposedPort[];
  const kept = old.every((port) => wanted.some((other) => isSameJson(port, other)));
  const throughBalancer = wanted.every(({ node }) => node === undefined || node === "loadbalancer");
  const balanced = specs.before.k3d?.loadBalancer !== false && specs.after.k3d?.loadBalancer !== false;
  return kept && throughBalancer && balanced
    ? { change: "in-place", reason: "Ports are added to the load balancer, which restarts." }
    : { change: "recreate", reason: "k3d can only add ports, and only to its load balancer." };
};

export const K3D_RULES: readonly ChangeRule[] = [
  ...sharedRules,
  judged("spec.networking.ports", k3dPorts),
  rule("spec.k3d.agents", "in-place", "Agents are added, or drained and removed."),
  rule("spec.k3d.servers", "recreate", "The database of the servers is chosen when the first one is made."),
  ...rules("spec.k3d", ["subnet", "network", "loadBalancer", "token.**"], "recreate", FIXED_NETWORK),
  ...rules(
    "spec.k3d",
    ["image", "volumes", "env", "k3sArgs", "hostAliases", "registries.**", "serverMemory", "agentMemory"],
    "recreate",
    FIXED_NODES,
  ),
  rule("spec.k3d.nodeLabels.**", "in-place", "Labels are set on the running nodes."),
  rule("spec.k3d.preloadImages", "in-place", "Images are loaded into the running nodes."),
];
