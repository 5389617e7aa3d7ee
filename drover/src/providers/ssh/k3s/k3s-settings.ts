import type { SshSpec } from "@drover/contract";

export type Setting = string | boolean | readonly string[];
export type Settings = Readonly<Record<string, Setting>>;

/** Settings of agents, all of which servers have too; every other one is for servers alone. */
const FOR_EVERY_NODE: ReadonlySet<string> = new Set([
  ...["debug", "v", "vmodule", "log", "alsologtostderr", "selinux", "lb-server-port", "protect-kernel-defaults"],
  ...["default-runtime", "disable-default-registry-endpoint", "nonroot-devices", "airgap-extra-registry"],
  ...["pause-image", "snapshotter", "node-external-ip", "node-internal-dns", "node-external-dns", "bind-address"],
  ...["image-credential-provider-bin-dir", "image-credential-provider-config", "resolv-conf", "prefer-bundled-bin"],
  ...["flannel-iface", "flannel-conf", "flannel-cni-conf", "vpn-auth", "vpn-auth-file", "enable-pprof"],
  ...["kubelet-arg", "kube-proxy-arg"],
]);

/** Settings that k3s takes several times. */
const LISTS: ReadonlySet<string> = new Set([
  ...["tls-san", "disable", "kubelet-arg", "kube-proxy-arg", "kube-apiserver-arg", "kube-controller-manager-arg"],
  ...["kube-scheduler-arg", "kube-cloud-controller-manager-arg", "etcd-arg", "airgap-extra-registry"],
  ...["node-external-ip", "node-internal-dns", "node-external-dns"],
]);

const OWN = "Drover sets it itself: leave it out.";
/** Settings that would take a cluster out of Drover's hands, or say what another field says; with the next move. */
export const SETTINGS_OF_DROVER: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...["token", "token-file", "agent-token", "agent-token-file", "server", "cluster-init", "config", "data-dir"],
      ...["cluster-reset", "cluster-reset-restore-path", "node-name", "with-node-id", "write-kubeconfig"],
      ...["https-listen-port", "advertise-port", "private-registry", "supervisor-port", "apiserver-port"],
    ].map((name) => [name, OWN]),
  ),
  ...Object.fromEntries(
    [
      ...["datastore-endpoint", "datastore-cafile", "datastore-certfile", "datastore-keyfile", "disable-etcd"],
      ...["disable-agent", "disable-apiserver", "disable-controller-manager", "rootless", "docker"],
      ...["container-runtime-endpoint", "image-service-endpoint"],
    ].map((name) => [
      name,
      "Every node runs k3s with its own containerd, and servers with embedded etcd: leave it out.",
    ]),
  ),
  "node-label": "Set spec.ssh.nodes[].labels instead.",
  "node-taint": "Set spec.ssh.nodes[].taints instead.",
  "node-ip": "Set spec.ssh.nodes[].internalAddress instead.",
  "advertise-address": "Set spec.ssh.nodes[].internalAddress instead.",
  "cluster-cidr": "Set spec.networking.podSubnet instead.",
  "service-cidr": "Set spec.networking.serviceSubnet instead.",
  "cluster-domain": "Set spec.networking.dnsDomain instead.",
  "disable-kube-proxy": "Set spec.networking.kubeProxyMode to none instead.",
  "disable-network-policy": "Set spec.networking.cni.type instead.",
};

/** Ours, and what the spec adds: lists are added to, anything else is replaced. */
export function addArguments(own: Settings, { k3sArgs = [] }: SshSpec, isServer: boolean): Settings {
  const merged: Record<string, Setting> = { ...own };
  for (const { name, value } of k3sArgs) {
    if (!isServer && !FOR_EVERY_NODE.has(name)) continue;
    const before = merged[name];
    if (LISTS.has(name)) merged[name] = [...(Array.isArray(before) ? before : []), value];
    else merged[name] = value === "true" || value === "false" ? value === "true" : value;
  }
  return merged;
}
