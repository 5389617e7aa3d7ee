import { ARTIFACTS, k3sArtifacts, type Machine, WEB_IMAGE } from "./machines.ts";

interface Wanted {
  readonly version: string;
  readonly controlPlanes: readonly Machine[];
  readonly workers: readonly Machine[];
  readonly ssh?: object;
}

/** Machines of a test bed are containers of one host: they see its disk, and may not set what belongs to its kernel. */
export const FOR_THE_BED = [
  "kind: KubeletConfiguration\nimageGCHighThresholdPercent: 100\nevictionHard: { nodefs.available: '0%', nodefs.inodesFree: '0%', imagefs.available: '0%', imagefs.inodesFree: '0%' }\n",
  "kind: KubeProxyConfiguration\nconntrack: { maxPerCore: 0, min: 0 }\n",
];

export function describeOnMachines(name: string, { version, controlPlanes, workers, ssh = {} }: Wanted): string {
  const node = (roles: readonly string[]) => (machine: Machine) => ({
    name: machine.name,
    address: machine.address,
    roles,
  });
  return JSON.stringify({
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name },
    spec: {
      provider: "ssh",
      kubernetes: { version },
      ssh: {
        distribution: "kubeadm",
        nodes: [...controlPlanes.map(node(["controlplane", "etcd"])), ...workers.map(node(["worker"]))],
        access: { user: controlPlanes[0]?.user, port: controlPlanes[0]?.port, credential: { name: "machines" } },
        artifacts: { source: "directory", location: ARTIFACTS, offline: true },
        kubeadmPatches: FOR_THE_BED,
        ...ssh,
      },
    },
  });
}

/** The same with k3s. */
export const describeK3s = (name: string, { ssh = {}, ...wanted }: Wanted): string =>
  describeOnMachines(name, {
    ...wanted,
    ssh: {
      distribution: "k3s",
      kubeadmPatches: undefined,
      artifacts: { source: "directory", location: k3sArtifacts(), offline: true },
      ...ssh,
    },
  });

export const NODE_PORT = 30_080;

/** Three web servers behind one port of every node, of which two always answer; they finish what they were asked. */
export const WEB = JSON.stringify({
  apiVersion: "v1",
  kind: "List",
  items: [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: "default" },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: "web" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: {
            containers: [
              {
                ...{ name: "web", image: `docker.io/${WEB_IMAGE}`, imagePullPolicy: "Never" },
                readinessProbe: { httpGet: { path: "/", port: 8080 }, periodSeconds: 1 },
                lifecycle: { preStop: { sleep: { seconds: 10 } } },
              },
            ],
            terminationGracePeriodSeconds: 30,
          },
        },
      },
    },
    {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "web", namespace: "default" },
      spec: { minAvailable: 2, selector: { matchLabels: { app: "web" } } },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", namespace: "default" },
      spec: {
        type: "NodePort",
        selector: { app: "web" },
        ports: [{ port: 80, targetPort: 8080, nodePort: NODE_PORT }],
      },
    },
  ],
});
