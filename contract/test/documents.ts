import type { ClusterInput } from "../src/index.ts";

export type Spec = ClusterInput["spec"];
type Ssh = NonNullable<Spec["ssh"]>;
type Node = Ssh["nodes"][number];

/** A document as someone would write it. */
export function declare(spec: Spec, name = "dev-1"): ClusterInput {
  return { apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name }, spec };
}

/** Three machines that make a cluster; each part can be replaced. */
export function sshSpec(ssh: Partial<Ssh> = {}, rest: Partial<Spec> = {}): Spec {
  return {
    provider: "ssh",
    kubernetes: { version: "v1.34.4" },
    ssh: {
      distribution: "kubeadm",
      access: { credential: { name: "machines" } },
      nodes: [controlPlane(1), worker(2), worker(3)],
      ...ssh,
    },
    ...rest,
  };
}

export function controlPlane(number: number, more: Partial<Node> = {}): Node {
  return { name: `cp-${number}`, address: address(number), roles: ["controlplane", "etcd"], ...more };
}

export function worker(number: number, more: Partial<Node> = {}): Node {
  return { name: `worker-${number}`, address: address(number), roles: ["worker"], ...more };
}

export function manyNodes(count: number): ClusterInput {
  const nodes = Array.from({ length: count }, (_, index) =>
    index < 3
      ? controlPlane(index + 1, { labels: { "example.com/rack": "a" } })
      : worker(index + 1, {
          internalAddress: `172.20.${Math.floor(index / 250)}.${(index % 250) + 1}`,
          labels: { "example.com/rack": "b", zone: `z${index % 3}` },
          taints: [{ key: "dedicated", value: "batch", effect: "NoSchedule" }],
        }),
  );
  return declare(sshSpec({ nodes, endpoint: { type: "kube-vip", virtualIp: "192.0.2.250" } }));
}

function address(number: number): string {
  return `192.168.${Math.floor(number / 250)}.${(number % 250) + 1}`;
}
