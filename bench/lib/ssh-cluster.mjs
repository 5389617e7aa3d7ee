import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** So many machines without Kubernetes, and what to make a cluster of: as e2e/README.md says for the suite ssh. */
export function readSshCluster(count) {
  const need = (name) => {
    const value = process.env[name];
    if (value === undefined || value === "") throw new Error(`Set ${name}, as e2e/README.md says for the suite ssh.`);
    return value;
  };
  const machines = JSON.parse(need("DROVER_E2E_MACHINES")).slice(0, count);
  if (machines.length < count) throw new Error(`DROVER_E2E_MACHINES has to name at least ${count} machine(s).`);
  const [newer, older] = need("DROVER_E2E_KUBERNETES").split(",");
  return { machines, artifacts: resolve(need("DROVER_E2E_ARTIFACTS")), version: older ?? newer };
}

/** Machines of a test bed are containers of one host: they see its disk, and may not set what belongs to its kernel. */
export const KUBEADM_PATCHES = [
  'kind: KubeletConfiguration\nimageGCHighThresholdPercent: 100\nevictionHard: { nodefs.available: "0%", nodefs.inodesFree: "0%", imagefs.available: "0%", imagefs.inodesFree: "0%" }\n',
  "kind: KubeProxyConfiguration\nconntrack: { maxPerCore: 0, min: 0 }\n",
];

/** The first is the control plane, the others are workers. */
export function specFor({ machines, artifacts, version }) {
  return {
    provider: "ssh",
    kubernetes: { version },
    ssh: {
      distribution: "kubeadm",
      nodes: machines.map(({ name, address }, index) => ({
        ...{ name, address },
        roles: index === 0 ? ["controlplane", "etcd"] : ["worker"],
      })),
      access: { user: machines[0].user, port: machines[0].port, credential: { name: "machines" } },
      artifacts: { source: "directory", location: artifacts, offline: true },
      kubeadmPatches: KUBEADM_PATCHES,
    },
  };
}

export const readKey = ({ machines: [first] }) => readFileSync(first.key, "utf8");
