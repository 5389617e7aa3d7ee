import { k3d, kind, ssh } from "./bases.ts";
import { bad, type CorpusEntry } from "./entry.ts";

export const BAD_NETWORKS: readonly CorpusEntry[] = [
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
