import { highlyAvailable, ssh } from "./bases.ts";
import { type CorpusEntry, good } from "./entry.ts";

const PATCH = "kind: ClusterConfiguration\napiServer:\n  extraArgs:\n\t- name: v\n";

export const GOOD_MACHINES: readonly CorpusEntry[] = [
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
    "spec.ssh.upgrade": { waveSize: 3, drainTimeout: "15m", gate: "nodes", snapshotFirst: false },
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
