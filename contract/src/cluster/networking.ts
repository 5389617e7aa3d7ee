import { z } from "zod";
import { defaulted, defaultedBlock } from "./defaults.ts";
import { type CelRule, describe } from "./field.ts";
import { cidr, dnsLabel, dnsSubdomain, host, ipAddress, port, source } from "./scalars.ts";

const exposedPort = z.strictObject({
  name: describe(dnsLabel, "What the port is for.").optional(),
  hostPort: describe(port, "Port on the host. A free one is chosen when left out.").optional(),
  containerPort: describe(port, "Port on the node: of an ingress, or the NodePort of a Service."),
  protocol: describe(
    defaulted("spec.networking.ports[].protocol", z.enum(["TCP", "UDP", "SCTP"])),
    "Protocol of the port.",
  ),
  listenAddress: describe(
    defaulted("spec.networking.ports[].listenAddress", ipAddress),
    "Address of the host to listen on; 0.0.0.0 opens the port to other machines.",
  ),
  node: describe(
    z.enum(["loadbalancer", "controlplane", "worker"]),
    "Which node answers: the load balancer (k3d only), the first control plane or the first worker.",
    { form: { advanced: true } },
  ).optional(),
});
export type ExposedPort = z.output<typeof exposedPort>;

const cni = z
  .strictObject({
    type: describe(
      defaulted("spec.networking.cni.type", z.enum(["builtin", "none", "manifest"])),
      "The target's own network, none at all, or one from a manifest.",
    ),
    manifest: describe(source, "URL of the manifest, or its path among the artifacts.").optional(),
  })
  .meta({
    cel: [
      {
        rule: "(self.type == 'manifest') == has(self.manifest)",
        message: "manifest must be given for the type manifest, and only for it",
      },
    ],
  });

const apiServer = z.strictObject({
  address: describe(host, "Address under which the API server is published.").optional(),
  port: describe(port, "Port under which the API server is published. A free one is chosen when left out.").optional(),
});

/** What is no network at all is reported at its own field. */
const BROKEN = "!isCIDR(self.podSubnet) || !isCIDR(self.serviceSubnet)";
const OVERLAP = (a: string, b: string) => `cidr(${a}).containsCIDR(${b}) || cidr(${b}).containsCIDR(${a})`;
const SAME_ADDRESS = (a: string, b: string) =>
  `(${a} == ${b} || ${a} in ['0.0.0.0', '::'] || ${b} in ['0.0.0.0', '::'])`;

const NETWORKING_RULES: readonly CelRule[] = [
  {
    rule: `${BROKEN} || !(${OVERLAP("self.podSubnet", "self.serviceSubnet")})`,
    message: "podSubnet and serviceSubnet overlap",
  },
  {
    rule: `${BROKEN} || cidr(self.podSubnet).ip().family() == cidr(self.serviceSubnet).ip().family()`,
    message: "podSubnet and serviceSubnet must both be IPv4 or both be IPv6",
  },
  {
    rule: `!has(self.ports) || self.ports.all(port, !has(port.hostPort) || self.ports.exists_one(other, has(other.hostPort) && other.hostPort == port.hostPort && other.protocol == port.protocol && ${SAME_ADDRESS("other.listenAddress", "port.listenAddress")}))`,
    message: "a port of the host is used twice",
  },
  {
    rule: `!has(self.ports) || !has(self.apiServer) || !has(self.apiServer.port) || !self.ports.exists(port, has(port.hostPort) && port.hostPort == self.apiServer.port && port.protocol == 'TCP' && ${SAME_ADDRESS("port.listenAddress", "(has(self.apiServer.address) ? self.apiServer.address : '127.0.0.1')")})`,
    message: "the port of the API server is also published for something else",
  },
];

export const networking = z
  .strictObject({
    podSubnet: describe(defaulted("spec.networking.podSubnet", cidr), "Network that pods get their addresses from."),
    serviceSubnet: describe(
      defaulted("spec.networking.serviceSubnet", cidr),
      "Network that Services get their addresses from.",
    ),
    dnsDomain: describe(
      defaulted("spec.networking.dnsDomain", dnsSubdomain),
      "Domain that names inside the cluster end in.",
      { form: { advanced: true } },
    ),
    apiServer: describe(apiServer, "Where the Kubernetes API is published.").optional(),
    kubeProxyMode: describe(
      defaulted("spec.networking.kubeProxyMode", z.enum(["iptables", "ipvs", "nftables", "none"])),
      "How Services are wired on each node.",
      { form: { advanced: true } },
    ),
    cni: describe(defaultedBlock("spec.networking.cni", cni), "The pod network.", { form: { advanced: true } }),
    ports: describe(
      z.array(exposedPort).max(64),
      "Ports of the cluster that the host publishes (kind and k3d).",
    ).optional(),
  })
  .meta({ cel: NETWORKING_RULES });
export type Networking = z.output<typeof networking>;
