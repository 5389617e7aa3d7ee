import { z } from "zod";
import { defaulted } from "./defaults.ts";
import { describe } from "./field.ts";
import {
  absolutePath,
  cidr,
  dnsLabel,
  dnsSubdomain,
  imageReference,
  integer,
  ipAddress,
  labels,
  lineOrNothing,
  memberCount,
  PRINTABLE,
  port,
  registryMirror,
  secretReference,
  text,
} from "./scalars.ts";

const nodeFilter = text(
  64,
  /^(all|loadbalancer|(server|agent|servers|agents):([*]|[0-9]+(-[0-9]+)?(,[0-9]+)*))$/,
  "node-filter",
);
const nodeFilters = describe(
  z.array(nodeFilter).min(1).max(16),
  "Nodes it is for, in k3d's notation: server:0, agent:*, all.",
);

const volume = z.strictObject({
  source: describe(
    text(512, /^([/][A-Za-z0-9._@+=,/-]*|[a-zA-Z0-9][a-zA-Z0-9_.-]*)$/, "volume-source"),
    "Folder on the host, or name of a Docker volume.",
  ),
  destination: describe(absolutePath, "Where the nodes see it."),
  readOnly: describe(defaulted("spec.k3d.volumes[].readOnly", z.boolean()), "Nodes may not write to it."),
  nodes: nodeFilters.optional(),
});

const environmentVariable = z.strictObject({
  name: describe(text(255, /^[A-Za-z_][A-Za-z0-9_]*$/, "variable-name"), "Name of the variable."),
  value: describe(lineOrNothing(4096), "Its value; no secrets, it is shown to everyone."),
  nodes: nodeFilters.optional(),
});

const k3sArgument = z.strictObject({
  arg: describe(
    text(1024, new RegExp(`^--[a-z0-9]${PRINTABLE}*$`), "k3s-argument"),
    "Argument of k3s, such as --disable=traefik.",
  ),
  nodes: nodeFilters.optional(),
});

const hostAlias = z.strictObject({
  ip: describe(ipAddress, "Address that the names stand for."),
  hostnames: describe(z.array(dnsSubdomain).min(1).max(16), "Names that the nodes resolve to it."),
});

const registries = z.strictObject({
  create: describe(
    z.strictObject({
      name: describe(dnsLabel, "Name of the registry, also its host name in the nodes."),
      hostPort: describe(port, "Port on the host. A free one is chosen when left out.").optional(),
    }),
    "A registry made and deleted together with the cluster.",
  ).optional(),
  use: describe(z.array(dnsSubdomain).max(8), "Registries of k3d that exist already.").optional(),
  mirrors: describe(z.array(registryMirror).max(32), "Where the nodes pull images from.", {
    listKey: "host",
  }).optional(),
});

/** Nodes are k3s containers on one Docker host, made by the k3d program. */
export const k3d = z
  .strictObject({
    servers: describe(defaulted("spec.k3d.servers", memberCount), "Number of servers (control planes)."),
    agents: describe(defaulted("spec.k3d.agents", integer(0, 100)), "Number of agents (workers)."),
    image: describe(imageReference, "k3s image; derived from the Kubernetes version when left out.", {
      form: { placeholder: "rancher/k3s:v1.34.4-k3s1" },
    }).optional(),
    subnet: describe(cidr, "Network of the node containers. A free one is chosen when left out.").optional(),
    network: describe(dnsLabel, "Existing Docker network to join; excludes subnet.", {
      form: { advanced: true },
    }).optional(),
    loadBalancer: describe(
      defaulted("spec.k3d.loadBalancer", z.boolean()),
      "A load balancer in front of the servers, through which ports are published.",
    ),
    token: describe(secretReference, "Secret that nodes join with; made up when left out.", {
      form: { advanced: true },
    }).optional(),
    nodeLabels: describe(labels, "Labels of every node.").optional(),
    registries: describe(registries, "Where the nodes pull images from.", { form: { advanced: true } }).optional(),
    volumes: describe(z.array(volume).max(32), "Folders of the host that the nodes see.").optional(),
    env: describe(z.array(environmentVariable).max(64), "Environment of the node containers.", {
      form: { advanced: true },
    }).optional(),
    k3sArgs: describe(z.array(k3sArgument).max(64), "Further arguments of k3s.", {
      form: { advanced: true },
    }).optional(),
    hostAliases: describe(z.array(hostAlias).max(32), "Entries of the nodes' hosts file.", {
      form: { advanced: true },
    }).optional(),
    preloadImages: describe(
      z.array(imageReference).max(64),
      "Images of the host's Docker that are loaded into the nodes before anything else runs.",
    ).optional(),
    serverMemory: describe(text(10, /^[1-9][0-9]{0,7}[mg]$/, "memory"), "Memory limit of a server, such as 2g.", {
      form: { advanced: true },
    }).optional(),
    agentMemory: describe(text(10, /^[1-9][0-9]{0,7}[mg]$/, "memory"), "Memory limit of an agent, such as 2g.", {
      form: { advanced: true },
    }).optional(),
  })
  .meta({
    cel: [
      {
        rule: "!has(self.network) || !has(self.subnet)",
        message: "subnet has no meaning when network names a network that exists",
      },
    ],
  });
