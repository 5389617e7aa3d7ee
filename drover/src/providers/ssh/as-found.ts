import type { ClusterSpec } from "@drover/contract";
import { isK3s, sshPart } from "./declared.ts";
import { K3S_THINGS } from "./k3s/k3s-as-found.ts";
import {
  CONTAINERD_CONFIG,
  CONTAINERD_DATA,
  CRICTL_CONFIG,
  ETCD_DATA,
  KUBELET_UNIT,
  MODULES,
  MODULES_FILE,
  PLUGIN_FOLDER,
  PROGRAM_FOLDER,
  SYSCTL_FILE,
  SYSCTLS,
} from "./machine-paths.ts";

const PROGRAMS = ["kubeadm", "kubelet", "kubectl", "crictl", "etcd", "etcdctl", "etcdutl"];

/** Folders that belong to Kubernetes, its pod network and what it starts. */
const FOLDERS = [
  "/etc/kubernetes",
  "/etc/cni/net.d",
  "/etc/containerd/certs.d",
  "/etc/systemd/system/containerd.service.d",
  "/etc/systemd/system/multi-user.target.wants",
  "/opt/containerd",
  PLUGIN_FOLDER,
  "/run/flannel",
  "/run/xtables.lock",
  "/usr/libexec/kubernetes",
  "/var/lib/cni",
  "/var/lib/kubelet",
  "/var/lib/kube-proxy",
  "/var/log/containers",
  "/var/log/pods",
];

/**
 * Everything on a machine that making it a node changes, in an order whose reverse puts it back: files before the units
 * that read them. What is not noted here is not changed.
 */
export function thingsThatChange(spec: ClusterSpec, { keepsData }: { readonly keepsData: boolean }): readonly string[] {
  if (isK3s(spec)) return K3S_THINGS;
  const { etcd, containerd } = sshPart(spec);
  return [
    ...["unit:containerd", "unit:kubelet"],
    ...MODULES.map((module) => `module:${module}`),
    ...Object.keys(SYSCTLS).map((name) => `sysctl:${name}`),
    ...[MODULES_FILE, SYSCTL_FILE, CONTAINERD_CONFIG, CRICTL_CONFIG, KUBELET_UNIT],
    ...PROGRAMS.map((name) => `${PROGRAM_FOLDER}/${name}`),
    ...FOLDERS,
    etcd.dataDirectory ?? ETCD_DATA,
    ...(containerd.dataDirectory === undefined ? [] : [containerd.dataDirectory]),
    ...(keepsData ? [] : [CONTAINERD_DATA]),
  ];
}
