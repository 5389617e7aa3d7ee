import { imported, k3d, kind, simulated, ssh } from "./bases.ts";
import { bad, type CorpusEntry } from "./entry.ts";

const shape: readonly CorpusEntry[] = [
  { title: "a list instead of a document", document: [], problems: [["wrong-type", ""]] },
  { title: "a text instead of a document", document: "kind: Cluster", problems: [["wrong-type", ""]] },
  {
    title: "an empty document",
    document: {},
    problems: [
      ["required", "apiVersion"],
      ["required", "kind"],
      ["required", "metadata"],
      ["required", "spec"],
    ],
  },
  bad("another API version", kind, { apiVersion: "drover.dev/v2" }, ["unknown-value", "apiVersion"]),
  bad("another kind", kind, { kind: "Clusters" }, ["unknown-value", "kind"]),
  bad("no name", kind, { "metadata.name": undefined }, ["required", "metadata.name"]),
  bad("no provider", kind, { "spec.provider": undefined }, ["required", "spec.provider"]),
  bad("a misspelt provider", kind, { "spec.provider": "kin" }, ["unknown-value", "spec.provider"]),
  bad("a number as provider", kind, { "spec.provider": 3 }, ["unknown-value", "spec.provider"]),
  bad("an unknown desired state", kind, { "spec.desiredState": "gone" }, ["unknown-value", "spec.desiredState"]),
  bad("a misspelt field", kind, { "spec.kind.workrs": 2 }, ["unknown-field", "spec.kind.workrs"]),
  bad("a field at the wrong place", kind, { "spec.workers": 2 }, ["unknown-field", "spec.workers"]),
  bad("an unknown field at the top", kind, { data: {} }, ["unknown-field", "data"]),
  bad("a field of Kubernetes that is not ours", kind, { "metadata.namespaces": "x" }, [
    "unknown-field",
    "metadata.namespaces",
  ]),
  bad("a text as number", kind, { "spec.kind.workers": "2" }, ["wrong-type", "spec.kind.workers"]),
  bad("a fraction as number", kind, { "spec.kind.workers": 1.5 }, ["wrong-type", "spec.kind.workers"]),
  bad("a text as boolean", k3d, { "spec.k3d.loadBalancer": "yes" }, ["wrong-type", "spec.k3d.loadBalancer"]),
  bad("a map as list", kind, { "spec.kind.mounts": {} }, ["wrong-type", "spec.kind.mounts"]),
  bad("a list as map", kind, { "spec.kind": [] }, ["wrong-type", "spec.kind"]),
  bad("nothing as a map", ssh, { "spec.ssh.access": null }, ["empty", "spec.ssh.access"]),
  bad(
    "too few control planes",
    kind,
    { "spec.kind.controlPlanes": 0 },
    ["out-of-range", "spec.kind.controlPlanes"],
    ["etcd-even", "spec.kind.controlPlanes"],
  ),
  bad("two control planes", kind, { "spec.kind.controlPlanes": 2 }, ["etcd-even", "spec.kind.controlPlanes"]),
  bad("four servers", k3d, { "spec.k3d.servers": 4 }, ["etcd-even", "spec.k3d.servers"]),
  bad("too many workers", kind, { "spec.kind.workers": 101 }, ["out-of-range", "spec.kind.workers"]),
  bad("a negative number", simulated, { "spec.simulated.workers": -1 }, ["out-of-range", "spec.simulated.workers"]),
  bad("latency upside down", simulated, { "spec.simulated.latency.minimumMs": 500 }, [
    "out-of-range",
    "spec.simulated.latency.minimumMs",
  ]),
  bad("an unknown fault", simulated, { "spec.simulated.faults": [{ operation: "create", effect: "explode" }] }, [
    "unknown-value",
    "spec.simulated.faults[0].effect",
  ]),
  bad(
    "too many ports",
    kind,
    { "spec.networking.ports": Array.from({ length: 65 }, (_, index) => ({ containerPort: index + 1 })) },
    ["too-many", "spec.networking.ports"],
  ),
  bad(
    "too many labels",
    kind,
    { "spec.kind.nodeLabels": Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`l${index}`, ""])) },
    ["too-many", "spec.kind.nodeLabels"],
  ),
  bad("a secret instead of its name", imported, { "spec.imported.kubeconfig": "apiVersion: v1" }, [
    "wrong-type",
    "spec.imported.kubeconfig",
  ]),
  bad("a secret without a name", imported, { "spec.imported.kubeconfig": {} }, [
    "required",
    "spec.imported.kubeconfig.name",
  ]),
  bad("a secret's name with a slash", imported, { "spec.imported.kubeconfig.name": "a/b" }, [
    "bad-name",
    "spec.imported.kubeconfig.name",
  ]),
];

const texts: readonly CorpusEntry[] = [
  bad("a name that is an option", kind, { "metadata.name": "-rf" }, ["bad-name", "metadata.name"]),
  bad("a name that is a path", kind, { "metadata.name": "../x" }, ["bad-name", "metadata.name"]),
  bad("a name in capitals", kind, { "metadata.name": "Dev" }, ["bad-name", "metadata.name"]),
  bad("a name with a dot", kind, { "metadata.name": "dev.one" }, ["bad-name", "metadata.name"]),
  bad("a name with an underscore", kind, { "metadata.name": "dev_1" }, ["bad-name", "metadata.name"]),
  bad("a name with a command", kind, { "metadata.name": "a;reboot" }, ["bad-name", "metadata.name"]),
  bad("a name with a line end", kind, { "metadata.name": "dev\n" }, ["bad-name", "metadata.name"]),
  bad("a name in another script", kind, { "metadata.name": "开发" }, ["bad-name", "metadata.name"]),
  bad("an empty name", kind, { "metadata.name": "" }, ["empty", "metadata.name"]),
  bad("a name of 64 characters", ssh, { "metadata.name": "a".repeat(64) }, ["too-long", "metadata.name"]),
  bad("a name too long for kind", kind, { "metadata.name": "k".repeat(50) }, ["name-too-long", "metadata.name"]),
  bad(
    "a name too long for kind with a load balancer",
    kind,
    {
      "metadata.name": "k".repeat(41),
      "spec.kind.controlPlanes": 3,
    },
    ["name-too-long", "metadata.name"],
  ),
  bad("a name too long for k3d", k3d, { "metadata.name": "k".repeat(33) }, ["name-too-long", "metadata.name"]),
  bad("a reserved name with a git branch", kind, { "metadata.name": "main", "spec.integrations.git": {} }, [
    "name-reserved",
    "metadata.name",
  ]),
  bad("a reserved branch", kind, { "spec.integrations.git.branch": "devops" }, [
    "name-reserved",
    "spec.integrations.git.branch",
  ]),
  bad("a branch that climbs", kind, { "spec.integrations.git.branch": "a..b" }, [
    "bad-name",
    "spec.integrations.git.branch",
  ]),
  bad("a folder that climbs", kind, { "spec.integrations.git.path": "apps/../../etc" }, [
    "bad-format",
    "spec.integrations.git.path",
  ]),
  bad(
    "a mount that climbs",
    kind,
    { "spec.kind.mounts": [{ hostPath: "/a/../b", containerPath: "x" }] },
    ["bad-format", "spec.kind.mounts[0].hostPath"],
    ["bad-format", "spec.kind.mounts[0].containerPath"],
  ),
  bad("an image that is an option", kind, { "spec.kind.image": "--privileged" }, ["bad-format", "spec.kind.image"]),
  bad("an argument of k3s without dashes", k3d, { "spec.k3d.k3sArgs": [{ arg: "disable=traefik" }] }, [
    "bad-format",
    "spec.k3d.k3sArgs[0].arg",
  ]),
  bad(
    "a node filter that k3d does not know",
    k3d,
    { "spec.k3d.volumes": [{ source: "/a", destination: "/b", nodes: ["node:1"] }] },
    ["bad-format", "spec.k3d.volumes[0].nodes[0]"],
  ),
  bad(
    "an address with a password",
    kind,
    { "spec.kind.registries": [{ host: "docker.io", endpoints: ["http://u:p@mirror"] }] },
    ["bad-format", "spec.kind.registries[0].endpoints[0]"],
  ),
  bad("an address of another kind", kind, { "spec.networking.cni": { type: "manifest", manifest: "file:///etc/x" } }, [
    "bad-format",
    "spec.networking.cni.manifest",
  ]),
  bad("a duration without unit", kind, { "spec.maintenance.ttl": "30" }, ["bad-format", "spec.maintenance.ttl"]),
  bad("a schedule of four fields", kind, { "spec.maintenance.schedule.hibernate": "0 20 * *" }, [
    "bad-format",
    "spec.maintenance.schedule.hibernate",
  ]),
  bad("a schedule at the 25th hour", kind, { "spec.maintenance.schedule.hibernate": "0 25 * * *" }, [
    "bad-format",
    "spec.maintenance.schedule.hibernate",
  ]),
  bad("a schedule without hibernation", kind, { "spec.maintenance.schedule.wake": "0 7 * * *" }, [
    "required",
    "spec.maintenance.schedule.hibernate",
  ]),
];

export const BAD_FIELDS: readonly CorpusEntry[] = [...shape, ...texts];
