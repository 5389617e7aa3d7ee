import { WEB_IMAGE } from "./docker-place.ts";

interface Wanted {
  readonly version: string;
  readonly controlPlanes?: number;
  readonly workers?: number;
  /** Publishes the port behind which `WEB` answers. */
  readonly web?: boolean;
  readonly selfHeal?: "repair" | "report";
}

/** The port on the nodes of the Service in `WEB`. */
const NODE_PORT = 30_080;

export function describeOnDocker(provider: "kind" | "k3d", name: string, wanted: Wanted): string {
  const { version, controlPlanes = 1, workers = 0, web = false, selfHeal = "repair" } = wanted;
  const counts = provider === "kind" ? { controlPlanes, workers } : { servers: controlPlanes, agents: workers };
  const node = provider === "kind" ? "controlplane" : "loadbalancer";
  return JSON.stringify({
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name },
    spec: {
      provider,
      kubernetes: { version },
      [provider]: { ...counts, ...(web ? { preloadImages: [WEB_IMAGE] } : {}) },
      ...(web ? { networking: { ports: [{ name: "web", containerPort: NODE_PORT, node }] } } : {}),
      maintenance: { selfHeal },
    },
  });
}

/** A web server that is reached through every node. */
export const WEB = JSON.stringify({
  apiVersion: "v1",
  kind: "List",
  items: [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: "default" },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: "web" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: { containers: [{ name: "web", image: WEB_IMAGE, imagePullPolicy: "Never" }] },
        },
      },
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
