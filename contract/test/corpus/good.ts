import { imported, k3d, kind, simulated } from "./bases.ts";
import { type CorpusEntry, good } from "./entry.ts";
import { GOOD_MACHINES } from "./good-machines.ts";

const PATCH = "kind: ClusterConfiguration\napiServer:\n  extraArgs:\n\t- name: v\n";

const onContainers: readonly CorpusEntry[] = [
  good("kind with nothing but its name", kind),
  good("kind with an empty block", kind, { "spec.kind": {} }),
  good("kind with workers and an image", kind, {
    "spec.kind": { controlPlanes: 3, workers: 2, image: "kindest/node:v1.34.4" },
    "spec.kubernetes": { version: "v1.34.4" },
  }),
  good("kind with an image by digest", kind, {
    "spec.kind.image": `registry.example.com:5000/kindest/node@sha256:${"a".repeat(64)}`,
  }),
  good("kind with mounts, gates and patches", kind, {
    "spec.kind": {
      mounts: [{ hostPath: "/", containerPath: "/host", readOnly: true, nodes: "worker" }],
      featureGates: { InPlacePodVerticalScaling: true },
      runtimeConfig: { "api/alpha": "false" },
      kubeadmPatches: [PATCH],
      containerdPatches: ["[plugins]\n"],
      nodeLabels: { "example.com/team": "core", empty: "" },
      network: "kind",
      preloadImages: ["nginx:1.29"],
    },
  }),
  good("kind with registry mirrors", kind, {
    "spec.kind.registries": [
      { host: "docker.io", endpoints: ["http://mirror:5000"], credential: { name: "mirror" } },
      { host: "*", endpoints: ["https://[2001:db8::1]:443/v2/?ns=x"], insecure: true },
    ],
  }),
  good("a name of 49 characters for kind", kind, { "metadata.name": "k".repeat(49) }),
  good("a name of 32 characters for k3d", k3d, { "metadata.name": "k".repeat(32) }),
  good("a name of digits", kind, { "metadata.name": "2048" }),
  good("labels and annotations", kind, {
    "metadata.labels": { env: "dev", "example.com/owner": "team-a" },
    "metadata.annotations": { "example.com/note": "made for the\ndemo 🐑" },
  }),
  good("published ports", kind, {
    "spec.networking.ports": [
      { containerPort: 80, hostPort: 8080 },
      { name: "dns", containerPort: 53, hostPort: 8080, protocol: "UDP" },
      { containerPort: 443 },
      { containerPort: 443, hostPort: 8443, listenAddress: "192.168.0.1", node: "controlplane" },
      { containerPort: 444, hostPort: 8443, listenAddress: "192.168.0.2", node: "worker" },
    ],
  }),
  good("an API server published on all addresses", kind, {
    "spec.networking.apiServer": { address: "0.0.0.0", port: 16443 },
  }),
  good("a network without Kubernetes' own", kind, { "spec.networking.cni": { type: "none" } }),
  good("a network from a manifest", kind, {
    "spec.networking": {
      cni: { type: "manifest", manifest: "https://example.com/calico.yaml" },
      kubeProxyMode: "none",
    },
  }),
  good("IPv6 networks", kind, {
    "spec.networking": { podSubnet: "fd00:10:244::/56", serviceSubnet: "fd00:10:96::/112" },
  }),
  good("adjoining networks", kind, {
    "spec.networking": { podSubnet: "10.0.0.0/9", serviceSubnet: "10.128.0.0/9", dnsDomain: "corp.example" },
  }),
  good("k3d with servers, agents and a load balancer", k3d, {
    "spec.k3d": { servers: 3, agents: 2, image: "rancher/k3s:v1.34.4-k3s1", subnet: "172.28.0.0/16" },
    "spec.kubernetes.version": "v1.34.4+k3s1",
    "spec.networking.ports": [{ containerPort: 80, hostPort: 8080, node: "loadbalancer" }],
  }),
  good("k3d with everything", k3d, {
    "spec.k3d": {
      network: "shared",
      loadBalancer: false,
      token: { name: "k3d-token", key: "token" },
      volumes: [{ source: "data", destination: "/data", nodes: ["server:0", "agent:*", "agents:0-2,4"] }],
      env: [
        { name: "HTTP_PROXY", value: "http://proxy:3128" },
        { name: "EMPTY", value: "" },
      ],
      k3sArgs: [{ arg: "--disable=traefik", nodes: ["server:*"] }],
      hostAliases: [{ ip: "192.168.0.9", hostnames: ["git.example.com"] }],
      registries: {
        create: { name: "registry", hostPort: 5000 },
        use: ["k3d-shared"],
        mirrors: [{ host: "docker.io", endpoints: ["http://mirror:5000"] }],
      },
      serverMemory: "2g",
      agentMemory: "512m",
    },
  }),
];

const others: readonly CorpusEntry[] = [
  good("an imported cluster", imported),
  good("an imported cluster with a context and allowances", imported, {
    "spec.imported": {
      kubeconfig: { name: "kubeconfig", key: "config" },
      context: "admin@prod",
      locked: false,
      allow: { exec: true, insecureTls: false },
    },
  }),
  good("a simulated cluster", simulated),
  good("a simulated cluster with faults", simulated, {
    "spec.simulated": {
      controlPlanes: 3,
      workers: 1000,
      seed: 7,
      latency: { minimumMs: 0, maximumMs: 0 },
      faults: [
        { operation: "create", effect: "done-yet-fails", percent: 50, times: 1, after: 2, message: "Out of luck" },
      ],
    },
    "spec.kubernetes.version": "v1.36.1",
  }),
  good("a cluster that should be gone", kind, { "spec.desiredState": "absent" }),
  good("all integrations", kind, {
    "spec.integrations": {
      git: { branch: "envs.dev-1", path: "apps/dev", application: "whoami" },
      argocd: { namespace: "argo", project: "team", labels: { tier: "dev" } },
      portainer: { group: "Development", tags: ["开发", "dev"] },
      haproxy: { services: [{ name: "whoami" }, { name: "api", port: 8080 }], instance: "edge" },
    },
  }),
  good("a reserved name without a git branch", kind, { "metadata.name": "main" }),
  good("a reserved name with git turned off", kind, {
    "metadata.name": "main",
    "spec.integrations.git.enabled": false,
  }),
  good("a reserved name with a branch of another name", kind, {
    "metadata.name": "main",
    "spec.integrations.git.branch": "cluster-main",
  }),
  good("maintenance", k3d, {
    "spec.maintenance": {
      paused: true,
      protected: true,
      ttl: "7d",
      selfHeal: "report",
      schedule: { hibernate: "0 20 * * 1-5", wake: "0 7 * * 1-5", timezone: "Asia/Shanghai" },
    },
    "spec.placement": { host: "docker-1", workerSelector: { "drover.dev/zone": "lab" } },
  }),
  good("add-ons", kind, {
    "spec.addons": [
      { name: "metrics", manifest: "addons/metrics.yaml", wait: false },
      {
        name: "ingress",
        namespace: "ingress",
        timeout: "5m",
        chart: { repository: "https://charts.example.com", name: "ingress-nginx", version: "4.12.1", values: "a: 1\n" },
      },
    ],
  }),
  good("what only a server sets", kind, {
    "metadata.uid": "b1f7",
    "metadata.generation": 3,
    "metadata.creationTimestamp": "2026-01-31T08:00:00Z",
  }),
  good("a status, which is dropped", kind, { status: { phase: "Running", nodes: { total: 1, ready: 1 } } }),
  good(
    "a status with a field of a later version, which is dropped",
    kind,
    { status: { weather: "fine" } },
    "status-of-a-declaration",
  ),
];

export const GOOD: readonly CorpusEntry[] = [...onContainers, ...GOOD_MACHINES, ...others];
