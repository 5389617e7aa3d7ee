import { DEFAULTS } from "./defaults.ts";
import type { CelRule } from "./field.ts";
import { K3D_NAME_LENGTH, KIND_NAME_LENGTH, KIND_NAME_LENGTH_BALANCED, RESERVED_BRANCHES } from "./names.ts";

/*
 * Rules across the fields of a spec, as an API server checks them. Each has a counterpart in rules/, which says more
 * about what is wrong and where; the corpus is run through both.
 */

const POD_SUBNET = `(has(self.networking) ? self.networking.podSubnet : '${DEFAULTS["spec.networking.podSubnet"].value}')`;
const SERVICE_SUBNET = `(has(self.networking) ? self.networking.serviceSubnet : '${DEFAULTS["spec.networking.serviceSubnet"].value}')`;
const VERSION = "has(self.kubernetes) && has(self.kubernetes.version)";

const foreignBlock = (provider: string): CelRule => ({
  rule: `self.provider == '${provider}' || !has(self.${provider})`,
  message: `the block ${provider} is for the provider ${provider} only`,
});

const neededBlock = (provider: string): CelRule => ({
  rule: `self.provider != '${provider}' || has(self.${provider})`,
  message: `the provider ${provider} needs the block ${provider}`,
});

const apart = (a: string, b: string) => `!cidr(${a}).containsCIDR(${b}) && !cidr(${b}).containsCIDR(${a})`;
const outside = (network: string, address: string) => `!cidr(${network}).containsIP(${address})`;
const outsideAll = (address: string) =>
  `(!isIP(${address}) || (${outside(POD_SUBNET, address)} && ${outside(SERVICE_SUBNET, address)}))`;

const usesRegistryPort = [
  "(has(self.networking.apiServer) && has(self.networking.apiServer.port) && self.networking.apiServer.port == self.k3d.registries.create.hostPort)",
  "(has(self.networking.ports) && self.networking.ports.exists(port, has(port.hostPort) && port.protocol == 'TCP' && port.hostPort == self.k3d.registries.create.hostPort))",
].join(" || ");

export const PROVIDER_RULES: readonly CelRule[] = [
  { rule: "self == oldSelf", message: "the provider of a cluster cannot change" },
];

export const SPEC_RULES: readonly CelRule[] = [
  ...["kind", "k3d", "ssh", "imported", "simulated"].map(foreignBlock),
  ...["ssh", "imported"].map(neededBlock),
  {
    rule: `self.provider != 'imported' || (!has(self.networking) && !(${VERSION}))`,
    message: "an imported cluster keeps the network and the version it has",
  },
  {
    rule: "self.provider != 'ssh' || !has(self.networking) || (!has(self.networking.ports) && !has(self.networking.apiServer))",
    message: "networking.ports and networking.apiServer are not for the provider ssh; see ssh.endpoint",
  },
  {
    rule: "self.provider in ['kind', 'k3d', 'simulated'] || !has(self.maintenance) || !has(self.maintenance.schedule)",
    message: "only clusters on a container host can be stopped and started by a schedule",
  },
  {
    rule: `self.provider != 'ssh' || (${VERSION})`,
    message: "the provider ssh needs kubernetes.version",
  },
  {
    rule: `!(${VERSION}) || !self.kubernetes.version.contains('+k3s') || self.provider in ['k3d', 'simulated'] || (has(self.ssh) && self.ssh.distribution == 'k3s')`,
    message: "a version of k3s is for k3d and for the distribution k3s only",
  },
  {
    rule: `!has(self.k3d) || !has(self.k3d.subnet) || (${apart("self.k3d.subnet", POD_SUBNET)} && ${apart("self.k3d.subnet", SERVICE_SUBNET)})`,
    message: "k3d.subnet overlaps the pod or the service network",
  },
  {
    rule: "!has(self.networking) || !has(self.networking.ports) || (self.provider == 'k3d' && (!has(self.k3d) || self.k3d.loadBalancer)) || self.networking.ports.all(port, !has(port.node) || port.node != 'loadbalancer')",
    message: "ports can be published by a load balancer only where k3d makes one",
  },
  {
    rule: `!has(self.ssh) || self.ssh.nodes.all(node, ${outsideAll("node.address")})`,
    message: "the address of a node lies within the pod or the service network",
  },
  {
    rule: `!has(self.ssh) || self.ssh.nodes.all(node, !has(node.internalAddress) || ${outsideAll("node.internalAddress")})`,
    message: "the internal address of a node lies within the pod or the service network",
  },
  {
    rule: `!has(self.ssh) || !has(self.ssh.endpoint.virtualIp) || ${outsideAll("self.ssh.endpoint.virtualIp")}`,
    message: "the virtual address lies within the pod or the service network",
  },
  {
    rule: `!has(self.k3d) || !has(self.k3d.registries) || !has(self.k3d.registries.create) || !has(self.k3d.registries.create.hostPort) || !has(self.networking) || !(${usesRegistryPort})`,
    message: "the port of the registry is also published for something else",
  },
];

export const CLUSTER_RULES: readonly CelRule[] = [
  {
    rule: `self.spec.provider != 'k3d' || self.metadata.name.size() <= ${K3D_NAME_LENGTH}`,
    message: `the name of a k3d cluster may have ${K3D_NAME_LENGTH} characters`,
  },
  {
    rule: `self.spec.provider != 'kind' || self.metadata.name.size() <= (has(self.spec.kind) && self.spec.kind.controlPlanes > 1 ? ${KIND_NAME_LENGTH_BALANCED} : ${KIND_NAME_LENGTH})`,
    message: `the name of a kind cluster may have ${KIND_NAME_LENGTH} characters, or ${KIND_NAME_LENGTH_BALANCED} with several control planes`,
  },
  {
    rule: `!has(self.spec.integrations) || !has(self.spec.integrations.git) || !self.spec.integrations.git.enabled || !((has(self.spec.integrations.git.branch) ? self.spec.integrations.git.branch : self.metadata.name) in [${RESERVED_BRANCHES.map((name) => `'${name}'`).join(", ")}])`,
    message: "this git branch is reserved for the installation itself",
  },
];
