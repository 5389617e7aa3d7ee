import type { Provider } from "../../api/words.ts";

/** Providers that a cluster can be made on from here; others' clusters are imported. */
export const MAKERS = ["kind", "k3d", "ssh", "simulated"] as const satisfies readonly Provider[];
export type Maker = (typeof MAKERS)[number];

/** What a provider calls the numbers of its control planes and workers. */
export const COUNT_FIELDS: Readonly<Partial<Record<Provider, readonly [string, string]>>> = {
  kind: ["spec.kind.controlPlanes", "spec.kind.workers"],
  k3d: ["spec.k3d.servers", "spec.k3d.agents"],
  simulated: ["spec.simulated.controlPlanes", "spec.simulated.workers"],
};

const BLOCKS: Readonly<Record<Maker, string>> = {
  kind: "  kind:\n    controlPlanes: 1\n    workers: 2\n",
  k3d: "  k3d:\n    servers: 1\n    agents: 2\n",
  simulated: "  simulated:\n    controlPlanes: 1\n    workers: 2\n",
  ssh: `  kubernetes:
    version: v1.34.4
  ssh:
    distribution: kubeadm
    access:
      user: root
      credential:
        name: machines # a secret with the key to log in with
    nodes: []
`,
};

/** A document to begin with: small, whole, and what most people want first. */
export function startingDocument(provider: Maker, name: string): string {
  return `apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata:
  name: ${name}
spec:
  provider: ${provider}
${BLOCKS[provider]}`;
}
