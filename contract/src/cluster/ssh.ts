import { z } from "zod";
import { defaulted, defaultedBlock } from "./defaults.ts";
import { type CelRule, describe } from "./field.ts";
import { block, host, imageReference, registryMirror } from "./scalars.ts";
import {
  apiServerOptions,
  argument,
  artifacts,
  backup,
  certificates,
  containerd,
  endpoint,
  etcd,
  proxy,
  upgrade,
} from "./ssh-lifecycle.ts";
import { type NodeRole, sshAccess, sshNode } from "./ssh-nodes.ts";

export const DISTRIBUTIONS = ["kubeadm", "k3s"] as const;
export type Distribution = (typeof DISTRIBUTIONS)[number];

export const MAXIMUM_NODES = 1000;

const nodesWith = (role: NodeRole) => `self.nodes.filter(node, '${role}' in node.roles).size()`;

const SSH_RULES: readonly CelRule[] = [
  {
    rule: "self.nodes.exists(node, 'controlplane' in node.roles)",
    message: "at least one node must have the role controlplane",
  },
  { rule: "self.nodes.exists(node, 'etcd' in node.roles)", message: "at least one node must have the role etcd" },
  {
    rule: "self.schedulableControlPlane || self.nodes.exists(node, 'worker' in node.roles)",
    message: "at least one node must have the role worker, or schedulableControlPlane must be true",
  },
  {
    rule: `${nodesWith("etcd")} == 0 || ${nodesWith("etcd")} % 2 == 1`,
    message: "the number of nodes with the role etcd must be odd",
  },
  {
    rule: "self.etcd.topology == 'stacked' ? self.nodes.all(node, ('etcd' in node.roles) == ('controlplane' in node.roles)) : self.nodes.all(node, !('etcd' in node.roles) || !('controlplane' in node.roles))",
    message: "stacked: every controlplane has the role etcd, and no other node; separate: no controlplane has it",
  },
  {
    rule: `self.endpoint.type != 'node' || ${nodesWith("controlplane")} <= 1`,
    message: "several control planes need an endpoint of type given, haproxy or kube-vip",
  },
  {
    rule: "self.distribution == 'kubeadm' ? !has(self.k3sArgs) : !has(self.kubeadmPatches) && self.etcd.topology == 'stacked'",
    message: "k3sArgs is for k3s only; kubeadmPatches and separate etcd are for kubeadm only",
  },
];

/** Linux machines that Drover reaches over SSH and makes into a cluster. */
export const ssh = z
  .strictObject({
    distribution: describe(z.enum(DISTRIBUTIONS), "What is installed: Kubernetes by kubeadm, or k3s."),
    nodes: describe(z.array(sshNode).min(1).max(MAXIMUM_NODES), "The machines.", { listKey: "name" }),
    access: describe(sshAccess, "How the machines are reached."),
    schedulableControlPlane: describe(
      defaulted("spec.ssh.schedulableControlPlane", z.boolean()),
      "Workloads may run on control planes, so that no worker is needed.",
    ),
    endpoint: describe(
      defaultedBlock("spec.ssh.endpoint", endpoint),
      "The address of the Kubernetes API that stays the same whichever control plane is up.",
    ),
    etcd: describe(defaultedBlock("spec.ssh.etcd", etcd), "The database of Kubernetes."),
    containerd: describe(defaultedBlock("spec.ssh.containerd", containerd), "The container runtime.", {
      form: { advanced: true },
    }),
    artifacts: describe(artifacts, "Where binaries and images come from.").optional(),
    registryMirrors: describe(z.array(registryMirror).max(32), "Where the nodes pull images from.", {
      listKey: "host",
    }).optional(),
    preloadImages: describe(z.array(imageReference).max(256), "Images loaded onto every node beforehand.").optional(),
    proxy: describe(proxy, "Proxy that the machines use to reach the outside.").optional(),
    certificates: describe(certificates, "Names in certificates and their lifetimes.").optional(),
    apiServer: describe(apiServerOptions, "Options of the API server.", { form: { advanced: true } }).optional(),
    kubeletArgs: describe(z.array(argument).max(64), "Further arguments of the kubelet.", {
      form: { advanced: true },
    }).optional(),
    kubeadmPatches: describe(
      z.array(block(16_384)).max(16),
      "YAML merged into the kubeadm configuration (kubeadm only).",
      {
        form: { widget: "textarea", advanced: true },
      },
    ).optional(),
    k3sArgs: describe(z.array(argument).max(64), "Further settings of k3s (k3s only).", {
      form: { advanced: true },
    }).optional(),
    lostMachines: describe(
      z.array(host).max(MAXIMUM_NODES),
      "Addresses of machines that are gone for good. Drover does not wait for them any more, and the cluster forgets their nodes.",
      { form: { advanced: true } },
    ).optional(),
    backup: describe(backup, "Snapshots of etcd on a schedule.").optional(),
    upgrade: describe(defaultedBlock("spec.ssh.upgrade", upgrade), "How carefully upgrades go."),
  })
  .meta({ cel: SSH_RULES });
export type SshSpec = z.output<typeof ssh>;
