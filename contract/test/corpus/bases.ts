import { declare, sshSpec } from "../documents.ts";

export const kind = declare({ provider: "kind" });
export const k3d = declare({ provider: "k3d" });
export const ssh = declare(sshSpec());
export const imported = declare({ provider: "imported", imported: { kubeconfig: { name: "prod-kubeconfig" } } });
export const simulated = declare({ provider: "simulated" });

/** Three control planes behind a virtual address, and two workers. */
export const highlyAvailable = declare(
  sshSpec({
    endpoint: { type: "kube-vip", virtualIp: "192.168.0.250" },
    nodes: [
      { name: "a", address: "192.168.0.1", roles: ["controlplane", "etcd"] },
      { name: "b", address: "192.168.0.2", roles: ["controlplane", "etcd"] },
      { name: "c", address: "192.168.0.3", roles: ["controlplane", "etcd"] },
      { name: "d", address: "192.168.0.4", roles: ["worker"] },
      { name: "e", address: "192.168.0.5", roles: ["worker", "edge"] },
    ],
  }),
);
