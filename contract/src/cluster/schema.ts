import { z } from "zod";
import { DESIRED_STATES } from "../status.ts";
import { addon } from "./addons.ts";
import { defaulted, defaultedBlock } from "./defaults.ts";
import { describe } from "./field.ts";
import { imported } from "./imported.ts";
import { integrations } from "./integrations.ts";
import { k3d } from "./k3d.ts";
import { kind } from "./kind.ts";
import { maintenance } from "./maintenance.ts";
import { metadata } from "./metadata.ts";
import { networking } from "./networking.ts";
import { clusterStatus } from "./observed.ts";
import { placement } from "./placement.ts";
import { text } from "./scalars.ts";
import { simulated } from "./simulated.ts";
import { CLUSTER_RULES, PROVIDER_RULES, SPEC_RULES } from "./spec-rules.ts";
import { ssh } from "./ssh.ts";
import { SUPPORTED_KUBERNETES } from "./version.ts";

export const API_VERSION = "drover.dev/v1alpha1";
export const KIND = "Cluster";

export const PROVIDERS = ["kind", "k3d", "ssh", "imported", "simulated"] as const;
export type Provider = (typeof PROVIDERS)[number];

const { oldest, newest } = SUPPORTED_KUBERNETES;

export const kubernetesVersion = text(
  32,
  /^v1[.][0-9]{1,2}[.][0-9]{1,2}([+]k3s[0-9]{1,2})?$/,
  "kubernetes-version",
).meta({
  cel: [
    {
      rule: `int(self.split('.')[1]) >= ${oldest} && int(self.split('.')[1]) <= ${newest}`,
      message: `supported are v1.${oldest} to v1.${newest}`,
    },
  ],
});

const kubernetes = z.strictObject({
  version: describe(kubernetesVersion, "Kubernetes version. Raising it upgrades the cluster.", {
    form: { placeholder: "v1.34.4" },
  }).optional(),
});

export const clusterSpec = z
  .strictObject({
    provider: describe(z.enum(PROVIDERS), "Where the cluster lives. It cannot change later.", { cel: PROVIDER_RULES }),
    desiredState: describe(
      defaulted("spec.desiredState", z.enum(DESIRED_STATES)),
      "Whether the cluster should exist. A deletion sets absent; a declaration that says absent is refused.",
    ),
    kubernetes: describe(kubernetes, "Which Kubernetes.").optional(),
    networking: describe(networking, "Networks, names and published ports.").optional(),
    kind: describe(kind, "Settings of a kind cluster.").optional(),
    k3d: describe(k3d, "Settings of a k3d cluster.").optional(),
    ssh: describe(ssh, "Machines and settings of a cluster over SSH.").optional(),
    imported: describe(imported, "How an existing cluster is reached.").optional(),
    simulated: describe(simulated, "Settings of a simulated cluster.").optional(),
    addons: describe(z.array(addon).max(64), "What is installed into the cluster once it is up, in this order.", {
      listKey: "name",
    }).optional(),
    integrations: describe(integrations, "Other systems that know the cluster.").optional(),
    placement: describe(placement, "Which worker handles the cluster.", { form: { advanced: true } }).optional(),
    maintenance: describe(
      defaultedBlock("spec.maintenance", maintenance),
      "Pausing, protection, lifetime and schedule.",
    ),
  })
  .meta({ cel: SPEC_RULES });

/** A cluster as people declare it and as Drover shows it. */
export const cluster = z
  .strictObject({
    apiVersion: describe(z.literal(API_VERSION), "Version of this form."),
    kind: describe(z.literal(KIND), "Kind of object."),
    metadata: describe(metadata, "Name and labels."),
    spec: describe(clusterSpec, "What is wanted."),
    status: describe(clusterStatus, "What was seen. Written by Drover only.").optional(),
  })
  .meta({ cel: CLUSTER_RULES });

/** With every default filled in: what is stored and acted upon. */
export type Cluster = z.output<typeof cluster>;
export type ClusterSpec = Cluster["spec"];
export type ClusterMetadata = Cluster["metadata"];
export type ClusterStatus = z.output<typeof clusterStatus>;
/** As it may be written, with defaults left out. */
export type ClusterInput = z.input<typeof cluster>;
