import type { z } from "zod";

interface Default {
  readonly value: unknown;
  readonly reason: string;
  /** Filled in only for clusters of these targets; without it, wherever the enclosing object is there. */
  readonly providers?: readonly string[];
}

/**
 * Every default, with its reason. The key is the path of the field; `[]` stands for any item of a list.
 * Free ports, subnets and host names are not here: they are allocated against what is in use.
 */
export const DEFAULTS = {
  "spec.desiredState": { value: "present", reason: "Someone who declares a cluster wants it to exist." },
  "spec.kind": {
    value: {},
    providers: ["kind"],
    reason: "Every field of a kind cluster has a default, so its block may be left out.",
  },
  "spec.k3d": {
    value: {},
    providers: ["k3d"],
    reason: "Every field of a k3d cluster has a default, so its block may be left out.",
  },
  "spec.simulated": {
    value: {},
    providers: ["simulated"],
    reason: "Every field of a simulated cluster has a default, so its block may be left out.",
  },
  "spec.networking": {
    value: {},
    providers: ["kind", "k3d", "ssh", "simulated"],
    reason: "The network is ours to decide, except in an imported cluster, which has one already.",
  },
  "spec.networking.apiServer": {
    value: {},
    providers: ["kind", "k3d"],
    reason: "On a container host the address of the API server is decided when the cluster is made.",
  },
  "spec.networking.apiServer.address": {
    value: "127.0.0.1",
    providers: ["kind", "k3d"],
    reason: "A new cluster must not be reachable from other machines unless someone says so.",
  },
  "spec.networking.podSubnet": {
    value: "10.244.0.0/16",
    reason: "What kind and flannel use; wide enough for 256 nodes, and rarely used in company networks.",
  },
  "spec.networking.serviceSubnet": {
    value: "10.96.0.0/16",
    reason: "What kubeadm and kind use; one value for all targets keeps clusters alike.",
  },
  "spec.networking.dnsDomain": {
    value: "cluster.local",
    reason: "Many charts have it written into them.",
  },
  "spec.networking.kubeProxyMode": {
    value: "iptables",
    reason: "The mode that every supported Kubernetes version and every kernel has.",
  },
  "spec.networking.cni": { value: {}, reason: "Each of its fields has a default, or nothing as its default." },
  "spec.networking.cni.type": {
    value: "builtin",
    reason: "Each target brings a network that works without any choice: kindnet, or flannel.",
  },
  "spec.networking.ports[].protocol": { value: "TCP", reason: "Nearly every exposed port speaks TCP." },
  "spec.networking.ports[].listenAddress": {
    value: "127.0.0.1",
    reason: "A port must not be reachable from other machines unless someone says so.",
  },
  "spec.kind.controlPlanes": { value: 1, reason: "Several control planes on one host add cost but no safety." },
  "spec.kind.workers": { value: 0, reason: "kind runs workloads on its only control plane." },
  "spec.kind.mounts[].readOnly": { value: false, reason: "As in kind itself." },
  "spec.k3d.servers": { value: 1, reason: "Several servers on one host add cost but no safety." },
  "spec.k3d.agents": { value: 0, reason: "k3s runs workloads on its servers." },
  "spec.k3d.loadBalancer": {
    value: true,
    reason: "Ports can be added later only through the load balancer, and it hides which server answers.",
  },
  "spec.k3d.volumes[].readOnly": { value: false, reason: "As in k3d itself." },
  "spec.ssh.access.user": { value: "root", reason: "Installing Kubernetes needs root; any other user needs sudo." },
  "spec.ssh.access.port": { value: 22, reason: "Where sshd listens unless it was moved." },
  "spec.ssh.access.sudo": { value: {}, reason: "Each of its fields has a default, or nothing as its default." },
  "spec.ssh.access.sudo.mode": {
    value: "passwordless",
    reason: "What cloud images are set up for; it also works when the user is root.",
  },
  "spec.ssh.access.bastion.port": { value: 22, reason: "Where sshd listens unless it was moved." },
  "spec.ssh.schedulableControlPlane": {
    value: false,
    reason: "Workloads beside the control plane can starve it; a single machine needs it and says so.",
  },
  "spec.ssh.endpoint": { value: {}, reason: "Each of its fields has a default, or nothing as its default." },
  "spec.ssh.endpoint.type": {
    value: "node",
    reason: "With one control plane its own address is the simplest endpoint that works.",
  },
  "spec.ssh.endpoint.port": { value: 6443, reason: "The port of the Kubernetes API by convention." },
  "spec.ssh.etcd": { value: {}, reason: "Each of its fields has a default, or nothing as its default." },
  "spec.ssh.etcd.topology": {
    value: "stacked",
    reason: "etcd beside the API server needs no further machines; it is what kubeadm and k3s do.",
  },
  "spec.ssh.containerd": { value: {}, reason: "Each of its fields has a default, or nothing as its default." },
  "spec.ssh.containerd.install": {
    value: true,
    reason: "Machines are taken as they come; one that has containerd already is left as it is.",
  },
  "spec.ssh.artifacts.offline": { value: false, reason: "Most machines can reach a registry." },
  "spec.ssh.backup.keep": { value: 7, reason: "A week of nightly snapshots." },
  "spec.ssh.upgrade": { value: {}, reason: "Each of its fields has a default, or nothing as its default." },
  "spec.ssh.upgrade.waveSize": {
    value: 1,
    reason: "The slowest pace is the safest one; larger fleets choose more.",
  },
  "spec.ssh.upgrade.drainTimeout": {
    value: "10m",
    reason: "Long enough for ordinary disruption budgets, short enough to be noticed.",
  },
  "spec.ssh.upgrade.gate": {
    value: "nodes-and-pods",
    reason: "A node that is Ready while its system pods crash has not been upgraded.",
  },
  "spec.ssh.upgrade.snapshotFirst": {
    value: true,
    reason: "etcd cannot go back to an older version; a snapshot can.",
  },
  "spec.imported.locked": {
    value: true,
    reason: "A cluster that others made is only observed until someone adopts it.",
  },
  "spec.simulated.controlPlanes": { value: 1, reason: "The smallest cluster there is." },
  "spec.simulated.workers": { value: 2, reason: "Enough to show nodes coming and going." },
  "spec.simulated.seed": { value: 1, reason: "The same document plays the same story every time." },
  "spec.simulated.latency": { value: {}, reason: "Each of its fields has a default, or nothing as its default." },
  "spec.simulated.latency.minimumMs": { value: 50, reason: "Steps that take no time hide ordering mistakes." },
  "spec.simulated.latency.maximumMs": { value: 400, reason: "A demonstration should end while people watch." },
  "spec.integrations.git.enabled": { value: true, reason: "Someone who writes the block wants the integration." },
  "spec.integrations.argocd.enabled": { value: true, reason: "Someone who writes the block wants the integration." },
  "spec.integrations.argocd.namespace": { value: "argocd", reason: "Where Argo CD installs itself." },
  "spec.integrations.argocd.project": { value: "default", reason: "The project that every Argo CD has." },
  "spec.integrations.portainer.enabled": {
    value: true,
    reason: "Someone who writes the block wants the integration.",
  },
  "spec.integrations.haproxy.enabled": { value: true, reason: "Someone who writes the block wants the integration." },
  "spec.addons[].wait": { value: true, reason: "An add-on that never became healthy must not pass for installed." },
  "spec.maintenance": { value: {}, reason: "Each of its fields has a default, or nothing as its default." },
  "spec.maintenance.paused": { value: false, reason: "A declared cluster is kept as declared from the start." },
  "spec.maintenance.protected": { value: false, reason: "Protection is a decision about one cluster." },
  "spec.maintenance.selfHeal": {
    value: "repair",
    reason: "Keeping clusters as declared is what Drover is for; recreating one still needs consent.",
  },
  "spec.maintenance.schedule.timezone": {
    value: "UTC",
    reason: "The only zone that means the same on every machine.",
  },
} as const satisfies Record<string, Default>;

export type DefaultPath = keyof typeof DEFAULTS;

/** Gives a field its default from the table. The path must be the field's own; a test compares them. */
export function defaulted<P extends DefaultPath, T extends z.ZodType>(
  path: P,
  schema: T & ((typeof DEFAULTS)[P]["value"] extends z.input<T> ? unknown : never),
): z.ZodDefault<T> {
  return (schema as z.ZodType).default(DEFAULTS[path].value) as unknown as z.ZodDefault<T>;
}

/** As defaulted, for an object: left out, it becomes an empty one, whose fields then get their own defaults. */
export function defaultedBlock<P extends DefaultPath, T extends z.ZodType>(
  path: P,
  schema: T & ((typeof DEFAULTS)[P]["value"] extends z.input<T> ? unknown : never),
): z.ZodPrefault<T> {
  return (schema as z.ZodType).prefault(DEFAULTS[path].value) as unknown as z.ZodPrefault<T>;
}
