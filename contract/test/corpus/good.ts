import { highlyAvailable, imported, k3d, kind, simulated, ssh } from "./bases.ts";
import { type Changes, type CorpusEntry, change, type Difference } from "./entry.ts";

const good = (title: string, base: unknown, changes: Changes = {}, difference?: Difference): CorpusEntry => ({
  title,
  document: change(base, changes),
  problems: [],
  ...(difference === undefined ? {} : { difference }),
});

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

const onMachines: readonly CorpusEntry[] = [
  good("one control plane and two workers", ssh),
  good("three control planes with a virtual address", highlyAvailable),
  good("three control planes behind HAProxy", highlyAvailable, {
    "spec.ssh.endpoint": { type: "haproxy", virtualIp: "192.168.0.250", interface: "eth0", routerId: 51, port: 8443 },
  }),
  good("three control planes behind a given address", highlyAvailable, {
    "spec.ssh.endpoint": { type: "given", host: "api.example.com" },
  }),
  good("a single machine", ssh, {
    "spec.ssh.schedulableControlPlane": true,
    "spec.ssh.nodes": [{ name: "only", address: "node.example.com", roles: ["controlplane", "etcd", "edge"] }],
  }),
  good("etcd on machines of its own", ssh, {
    "spec.ssh.etcd": {
      topology: "separate",
      dataDirectory: "/var/lib/etcd",
      extraArgs: [{ name: "quota-backend-bytes", value: "8" }],
    },
    "spec.ssh.nodes": [
      { name: "a", address: "192.168.0.1", roles: ["controlplane"] },
      { name: "b", address: "192.168.0.2", roles: ["worker", "etcd"] },
    ],
  }),
  good("k3s on machines", ssh, {
    "spec.ssh.distribution": "k3s",
    "spec.kubernetes.version": "v1.33.13+k3s1",
    "spec.ssh.k3sArgs": [{ name: "disable", value: "traefik" }],
  }),
  good("machines with everything about them", ssh, {
    "spec.ssh.nodes.0": {
      name: "cp-1",
      address: "2001:db8::10",
      internalAddress: "172.20.0.10",
      port: 2222,
      user: "core",
      hostKey: `SHA256:${"a".repeat(43)}`,
      roles: ["controlplane", "etcd"],
      labels: { rack: "a1" },
      taints: [{ key: "example.com/dedicated", value: "", effect: "NoExecute" }],
    },
  }),
  good("a bastion and a password for sudo", ssh, {
    "spec.ssh.access": {
      user: "ubuntu",
      port: 2200,
      credential: { name: "machines" },
      bastion: { address: "jump.example.com", user: "jump", hostKey: `SHA256:${"b".repeat(43)}` },
      sudo: { mode: "password", credential: { name: "sudo" } },
    },
  }),
  good("offline artifacts from a folder", ssh, {
    "spec.ssh.artifacts": {
      source: "directory",
      location: "/srv/artifacts",
      offline: true,
      checksums: { "bin/kubeadm": "0".repeat(64) },
    },
  }),
  good("artifacts from a mirror", ssh, {
    "spec.ssh.artifacts": { source: "mirror", location: "https://mirror.example.com/k8s" },
    "spec.ssh.proxy": { http: "http://proxy:3128", https: "http://proxy:3128", no: ["10.0.0.0/8", ".example.com"] },
    "spec.ssh.registryMirrors": [{ host: "registry.k8s.io", endpoints: ["https://mirror.example.com"] }],
    "spec.ssh.preloadImages": ["registry.k8s.io/pause:3.10"],
  }),
  good("options of the API server and the kubelet", ssh, {
    "spec.ssh.apiServer": {
      extraArgs: [{ name: "audit-log-maxage", value: "30" }],
      auditPolicy: "apiVersion: audit.k8s.io/v1\nkind: Policy\n",
      encryptSecrets: true,
    },
    "spec.ssh.kubeletArgs": [{ name: "max-pods", value: "200" }],
    "spec.ssh.kubeadmPatches": [PATCH],
    "spec.ssh.certificates": { sans: ["api.example.com", "203.0.113.7"], validityDays: 365, caValidityDays: 3650 },
    "spec.ssh.containerd": { install: false, version: "2.1.4", dataDirectory: "/data/containerd", patches: ["[a]"] },
  }),
  good("backups in a folder", ssh, {
    "spec.ssh.backup": { schedule: "0 2 * * *", destination: { type: "directory", path: "/backup" } },
    "spec.ssh.upgrade": { waveSize: 3, drainTimeout: "15m", gate: "manual", snapshotFirst: false },
  }),
  good("backups in an object store", ssh, {
    "spec.ssh.backup": {
      schedule: "*/15 0-6,22 1,15 * 1-5",
      keep: 30,
      destination: {
        type: "s3",
        url: "https://s3.example.com",
        bucket: "etcd",
        prefix: "prod/a",
        credential: { name: "s3" },
      },
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

export const GOOD: readonly CorpusEntry[] = [...onContainers, ...onMachines, ...others];
