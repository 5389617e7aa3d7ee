import { highlyAvailable, kind, ssh } from "./bases.ts";
import { bad, type CorpusEntry, differs } from "./entry.ts";

const machines: readonly CorpusEntry[] = [
  bad("no machines", ssh, { "spec.ssh.nodes": [] }, ["too-few", "spec.ssh.nodes"]),
  bad("a machine without a name", ssh, { "spec.ssh.nodes.1.name": undefined }, ["required", "spec.ssh.nodes[1].name"]),
  bad("a machine with an empty address", ssh, { "spec.ssh.nodes.1.address": "" }, [
    "empty",
    "spec.ssh.nodes[1].address",
  ]),
  bad("a machine with a broken address", ssh, { "spec.ssh.nodes.1.address": "192.168.0.256" }, [
    "bad-address",
    "spec.ssh.nodes[1].address",
  ]),
  bad("a machine with an option as address", ssh, { "spec.ssh.nodes.1.address": "-oProxyCommand=x" }, [
    "bad-address",
    "spec.ssh.nodes[1].address",
  ]),
  bad("a machine without roles", ssh, { "spec.ssh.nodes.1.roles": [] }, ["too-few", "spec.ssh.nodes[1].roles"]),
  bad("a machine with an unknown role", ssh, { "spec.ssh.nodes.1.roles": ["master"] }, [
    "unknown-value",
    "spec.ssh.nodes[1].roles[0]",
  ]),
  bad("a machine with a role twice", ssh, { "spec.ssh.nodes.1.roles": ["worker", "worker"] }, [
    "duplicate",
    "spec.ssh.nodes[1].roles",
  ]),
  bad("controlplane and worker at once", ssh, { "spec.ssh.nodes.0.roles": ["controlplane", "worker", "etcd"] }, [
    "roles-conflict",
    "spec.ssh.nodes[0].roles",
  ]),
  bad("edge alone", ssh, { "spec.ssh.nodes.1.roles": ["edge"] }, ["role-alone", "spec.ssh.nodes[1].roles"]),
  bad(
    "etcd alone",
    ssh,
    {
      "spec.ssh.etcd.topology": "separate",
      "spec.ssh.nodes.0.roles": ["controlplane"],
      "spec.ssh.nodes.1.roles": ["etcd"],
    },
    ["role-alone", "spec.ssh.nodes[1].roles"],
  ),
  bad("two machines of one name", ssh, { "spec.ssh.nodes.2.name": "worker-2" }, [
    "duplicate",
    "spec.ssh.nodes[2].name",
  ]),
  differs(
    "node-addresses",
    bad("two machines at one address", ssh, { "spec.ssh.nodes.2.address": "192.168.0.3" }, [
      "node-address-duplicate",
      "spec.ssh.nodes[2].address",
    ]),
  ),
  bad(
    "no control plane",
    ssh,
    { "spec.ssh.nodes.0.roles": ["worker"] },
    ["controlplane-missing", "spec.ssh.nodes"],
    ["etcd-missing", "spec.ssh.nodes"],
  ),
  bad(
    "no etcd",
    ssh,
    { "spec.ssh.nodes.0.roles": ["controlplane"] },
    ["etcd-missing", "spec.ssh.nodes"],
    ["etcd-misplaced", "spec.ssh.nodes[0].roles"],
  ),
  bad(
    "no worker",
    ssh,
    { "spec.ssh.nodes": [{ name: "a", address: "192.168.0.1", roles: ["controlplane", "etcd"] }] },
    ["worker-missing", "spec.ssh.nodes"],
  ),
  bad("two members of etcd", highlyAvailable, { "spec.ssh.nodes.2.roles": ["worker"] }, [
    "etcd-even",
    "spec.ssh.nodes",
  ]),
  bad(
    "etcd on a worker while stacked",
    ssh,
    { "spec.ssh.nodes.1.roles": ["worker", "etcd"], "spec.ssh.nodes.2.roles": ["worker", "etcd"] },
    ["etcd-misplaced", "spec.ssh.nodes[1].roles"],
    ["etcd-misplaced", "spec.ssh.nodes[2].roles"],
  ),
  bad("etcd on a control plane while separate", ssh, { "spec.ssh.etcd.topology": "separate" }, [
    "etcd-misplaced",
    "spec.ssh.nodes[0].roles",
  ]),
  bad(
    "separate etcd for k3s",
    ssh,
    {
      "spec.ssh.distribution": "k3s",
      "spec.ssh.etcd.topology": "separate",
      "spec.ssh.nodes.0.roles": ["controlplane"],
      "spec.ssh.nodes.1.roles": ["worker", "etcd"],
    },
    ["field-unsupported", "spec.ssh.etcd.topology"],
  ),
  bad("several control planes without an endpoint", highlyAvailable, { "spec.ssh.endpoint": undefined }, [
    "endpoint-needed",
    "spec.ssh.endpoint.type",
  ]),
  bad("a given endpoint without a host", highlyAvailable, { "spec.ssh.endpoint": { type: "given" } }, [
    "field-needed",
    "spec.ssh.endpoint.host",
  ]),
  bad("kube-vip without an address", highlyAvailable, { "spec.ssh.endpoint.virtualIp": undefined }, [
    "field-needed",
    "spec.ssh.endpoint.virtualIp",
  ]),
  bad("a host beside a virtual address", highlyAvailable, { "spec.ssh.endpoint.host": "api.example.com" }, [
    "field-excluded",
    "spec.ssh.endpoint.host",
  ]),
  bad("a password for sudo that is not named", ssh, { "spec.ssh.access.sudo.mode": "password" }, [
    "field-needed",
    "spec.ssh.access.sudo.credential",
  ]),
  bad("no credential", ssh, { "spec.ssh.access": {} }, ["required", "spec.ssh.access.credential"]),
  bad("a fingerprint of another kind", ssh, { "spec.ssh.nodes.0.hostKey": "MD5:aa:bb" }, [
    "bad-format",
    "spec.ssh.nodes[0].hostKey",
  ]),
  bad("a mirror in a folder", ssh, { "spec.ssh.artifacts": { source: "mirror", location: "/srv" } }, [
    "bad-format",
    "spec.ssh.artifacts.location",
  ]),
  bad("a folder that is not absolute", ssh, { "spec.ssh.artifacts": { source: "directory", location: "srv" } }, [
    "bad-format",
    "spec.ssh.artifacts.location",
  ]),
  bad(
    "a checksum that is too short",
    ssh,
    {
      "spec.ssh.artifacts": { source: "directory", location: "/srv", checksums: { kubeadm: "abc" } },
    },
    ["bad-format", "spec.ssh.artifacts.checksums.kubeadm"],
  ),
  bad(
    "an object store without a bucket",
    ssh,
    {
      "spec.ssh.backup": { schedule: "0 2 * * *", destination: { type: "s3", url: "https://s3.example.com" } },
    },
    ["field-needed", "spec.ssh.backup.destination.bucket"],
  ),
  bad(
    "a folder with a bucket",
    ssh,
    {
      "spec.ssh.backup": { schedule: "0 2 * * *", destination: { type: "directory", path: "/b", bucket: "etcd" } },
    },
    ["field-excluded", "spec.ssh.backup.destination.bucket"],
  ),
  bad("an add-on of nothing", kind, { "spec.addons": [{ name: "a" }] }, ["field-needed", "spec.addons[0]"]),
  bad(
    "an add-on of both",
    kind,
    {
      "spec.addons": [{ name: "a", manifest: "a.yaml", chart: { name: "a", version: "1.0.0" } }],
    },
    ["field-excluded", "spec.addons[0].chart"],
  ),
  bad(
    "two add-ons of one name",
    kind,
    {
      "spec.addons": [
        { name: "a", manifest: "a.yaml" },
        { name: "a", manifest: "b.yaml" },
      ],
    },
    ["duplicate", "spec.addons[1].name"],
  ),
];

const several: readonly CorpusEntry[] = [
  bad(
    "many mistakes at once",
    ssh,
    {
      "metadata.name": "Bad_Name",
      "spec.desiredstate": "present",
      "spec.kubernetes.version": "v1.12.0",
      "spec.networking": { podSubnet: "10.96.0.0/16" },
      "spec.ssh.nodes.0.port": 0,
      "spec.ssh.nodes.1.roles": ["worker", "controlplane"],
      "spec.ssh.nodes.2.address": "192.168.0.3",
      "spec.ssh.endpoint.type": "given",
    },
    ["bad-name", "metadata.name"],
    ["unknown-field", "spec.desiredstate"],
    ["version-unsupported", "spec.kubernetes.version"],
    ["networks-overlap", "spec.networking.serviceSubnet"],
    ["out-of-range", "spec.ssh.nodes[0].port"],
    ["roles-conflict", "spec.ssh.nodes[1].roles"],
    ["node-address-duplicate", "spec.ssh.nodes[2].address"],
    ["field-needed", "spec.ssh.endpoint.host"],
  ),
];

export const BAD_MACHINES: readonly CorpusEntry[] = [...machines, ...several];
