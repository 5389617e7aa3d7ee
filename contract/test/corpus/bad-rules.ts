import { highlyAvailable, imported, k3d, kind, simulated, ssh } from "./bases.ts";
import { bad, type CorpusEntry, differs } from "./entry.ts";

const networks: readonly CorpusEntry[] = [
  bad("a network without length", kind, { "spec.networking.podSubnet": "10.244.0.0" }, [
    "bad-network",
    "spec.networking.podSubnet",
  ]),
  bad("a network with host bits", kind, { "spec.networking.podSubnet": "10.244.1.2/16" }, [
    "bad-network",
    "spec.networking.podSubnet",
  ]),
  bad("a network of length 33", kind, { "spec.networking.podSubnet": "10.244.0.0/33" }, [
    "bad-network",
    "spec.networking.podSubnet",
  ]),
  bad("a network with a leading zero", kind, { "spec.networking.podSubnet": "010.0.0.0/8" }, [
    "bad-network",
    "spec.networking.podSubnet",
  ]),
  bad("an IPv4 network dressed as IPv6", kind, { "spec.networking.podSubnet": "::ffff:10.0.0.0/104" }, [
    "bad-network",
    "spec.networking.podSubnet",
  ]),
  bad("pods within Services", kind, { "spec.networking": { podSubnet: "10.96.0.0/24" } }, [
    "networks-overlap",
    "spec.networking.serviceSubnet",
  ]),
  bad("Services within pods", kind, { "spec.networking": { podSubnet: "10.0.0.0/8", serviceSubnet: "10.1.0.0/16" } }, [
    "networks-overlap",
    "spec.networking.serviceSubnet",
  ]),
  bad("pods and Services of different IP versions", kind, { "spec.networking": { podSubnet: "fd00::/64" } }, [
    "network-families-differ",
    "spec.networking.serviceSubnet",
  ]),
  bad("containers within the default pod network", k3d, { "spec.k3d.subnet": "10.244.8.0/24" }, [
    "networks-overlap",
    "spec.k3d.subnet",
  ]),
  bad("containers around the Services", k3d, { "spec.k3d.subnet": "10.96.0.0/12", "spec.networking": {} }, [
    "networks-overlap",
    "spec.k3d.subnet",
  ]),
  bad("a subnet for a network that exists", k3d, { "spec.k3d": { subnet: "172.28.0.0/16", network: "shared" } }, [
    "field-excluded",
    "spec.k3d.subnet",
  ]),
  bad("a machine within the pod network", ssh, { "spec.ssh.nodes.1.address": "10.244.3.4" }, [
    "networks-overlap",
    "spec.ssh.nodes[1].address",
  ]),
  bad(
    "a machine whose other address is within the service network",
    ssh,
    { "spec.ssh.nodes.1.internalAddress": "10.96.0.9" },
    ["networks-overlap", "spec.ssh.nodes[1].internalAddress"],
  ),
  bad("port zero", kind, { "spec.networking.ports": [{ containerPort: 0 }] }, [
    "out-of-range",
    "spec.networking.ports[0].containerPort",
  ]),
  bad("port 65536", kind, { "spec.networking.apiServer.port": 65_536 }, [
    "out-of-range",
    "spec.networking.apiServer.port",
  ]),
  bad("a port without the container's", kind, { "spec.networking.ports": [{ hostPort: 80 }] }, [
    "required",
    "spec.networking.ports[0].containerPort",
  ]),
  bad(
    "a port of the host twice",
    kind,
    {
      "spec.networking.ports": [
        { containerPort: 80, hostPort: 8080 },
        { containerPort: 81, hostPort: 8080 },
      ],
    },
    ["port-duplicate", "spec.networking.ports[1].hostPort"],
  ),
  bad(
    "a port of the host twice, once on all addresses",
    kind,
    {
      "spec.networking.ports": [
        { containerPort: 80, hostPort: 8080, listenAddress: "192.168.0.1" },
        { containerPort: 81, hostPort: 8080, listenAddress: "0.0.0.0" },
      ],
    },
    ["port-duplicate", "spec.networking.ports[1].hostPort"],
  ),
  bad(
    "the port of the API server for something else",
    kind,
    {
      "spec.networking": { apiServer: { port: 6443 }, ports: [{ containerPort: 80, hostPort: 6443 }] },
    },
    ["port-duplicate", "spec.networking.ports[0].hostPort"],
  ),
  bad(
    "the port of the registry for something else",
    k3d,
    {
      "spec.networking.ports": [{ containerPort: 80, hostPort: 5000 }],
      "spec.k3d.registries.create": { name: "registry", hostPort: 5000 },
    },
    ["port-duplicate", "spec.k3d.registries.create.hostPort"],
  ),
  bad(
    "a listen address that is a name",
    kind,
    {
      "spec.networking.ports": [{ containerPort: 80, listenAddress: "localhost" }],
    },
    ["bad-address", "spec.networking.ports[0].listenAddress"],
  ),
  bad("a manifest for the built-in network", kind, { "spec.networking.cni": { manifest: "cni/x.yaml" } }, [
    "field-excluded",
    "spec.networking.cni.manifest",
  ]),
  bad("a network from a manifest that is not named", kind, { "spec.networking.cni.type": "manifest" }, [
    "field-needed",
    "spec.networking.cni.manifest",
  ]),
  bad(
    "a load balancer where there is none",
    kind,
    { "spec.networking.ports": [{ containerPort: 80, node: "loadbalancer" }] },
    ["field-unsupported", "spec.networking.ports[0].node"],
  ),
  bad(
    "a load balancer that was turned off",
    k3d,
    {
      "spec.networking.ports": [{ containerPort: 80, node: "loadbalancer" }],
      "spec.k3d.loadBalancer": false,
    },
    ["field-unsupported", "spec.networking.ports[0].node"],
  ),
];

const providers: readonly CorpusEntry[] = [
  bad("settings of another provider", kind, { "spec.k3d": {} }, ["provider-block-foreign", "spec.k3d"]),
  bad("machines for a simulated cluster", ssh, { "spec.provider": "simulated" }, [
    "provider-block-foreign",
    "spec.ssh",
  ]),
  bad("ssh without machines", kind, { "spec.provider": "ssh", "spec.kubernetes.version": "v1.34.4" }, [
    "provider-block-missing",
    "spec.ssh",
  ]),
  bad("imported without a kubeconfig", kind, { "spec.provider": "imported" }, [
    "provider-block-missing",
    "spec.imported",
  ]),
  bad("a network for an imported cluster", imported, { "spec.networking": {} }, [
    "field-unsupported",
    "spec.networking",
  ]),
  bad("a version for an imported cluster", imported, { "spec.kubernetes.version": "v1.34.4" }, [
    "field-unsupported",
    "spec.kubernetes.version",
  ]),
  bad("a schedule for an imported cluster", imported, { "spec.maintenance.schedule.hibernate": "0 1 * * *" }, [
    "field-unsupported",
    "spec.maintenance.schedule",
  ]),
  bad("a schedule for machines", ssh, { "spec.maintenance.schedule.hibernate": "0 1 * * *" }, [
    "field-unsupported",
    "spec.maintenance.schedule",
  ]),
  bad("published ports for machines", ssh, { "spec.networking.ports": [{ containerPort: 80 }] }, [
    "field-unsupported",
    "spec.networking.ports",
  ]),
  bad("a published API server for machines", ssh, { "spec.networking.apiServer.port": 6443 }, [
    "field-unsupported",
    "spec.networking.apiServer",
  ]),
  bad("arguments of k3s for kubeadm", ssh, { "spec.ssh.k3sArgs": [] }, ["field-unsupported", "spec.ssh.k3sArgs"]),
  bad("patches of kubeadm for k3s", ssh, { "spec.ssh.distribution": "k3s", "spec.ssh.kubeadmPatches": ["a: b"] }, [
    "field-unsupported",
    "spec.ssh.kubeadmPatches",
  ]),
  bad("a version without v", kind, { "spec.kubernetes.version": "1.34.4" }, ["bad-version", "spec.kubernetes.version"]),
  bad("a version without patch", kind, { "spec.kubernetes.version": "v1.34" }, [
    "bad-version",
    "spec.kubernetes.version",
  ]),
  bad("a number as version", kind, { "spec.kubernetes.version": 1.34 }, ["wrong-type", "spec.kubernetes.version"]),
  bad("a version that is too old", kind, { "spec.kubernetes.version": "v1.30.9" }, [
    "version-unsupported",
    "spec.kubernetes.version",
  ]),
  bad("a version that is too new", simulated, { "spec.kubernetes.version": "v1.99.0" }, [
    "version-unsupported",
    "spec.kubernetes.version",
  ]),
  bad("a version of k3s for kind", kind, { "spec.kubernetes.version": "v1.34.4+k3s1" }, [
    "version-not-k3s",
    "spec.kubernetes.version",
  ]),
  bad("a version of k3s for kubeadm", ssh, { "spec.kubernetes.version": "v1.34.4+k3s1" }, [
    "version-not-k3s",
    "spec.kubernetes.version",
  ]),
  bad("machines without a version", ssh, { "spec.kubernetes": undefined }, [
    "version-required",
    "spec.kubernetes.version",
  ]),
];

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

export const BAD_RULES: readonly CorpusEntry[] = [...networks, ...providers, ...machines, ...several];
