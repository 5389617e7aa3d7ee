import { z } from "zod";
import { defaulted } from "./defaults.ts";
import { describe } from "./field.ts";
import {
  absolutePath,
  block,
  dnsLabel,
  imageReference,
  integer,
  labels,
  line,
  map,
  memberCount,
  registryMirror,
} from "./scalars.ts";

const mount = z.strictObject({
  hostPath: describe(absolutePath, "Folder or file on the host."),
  containerPath: describe(absolutePath, "Where the nodes see it."),
  readOnly: describe(defaulted("spec.kind.mounts[].readOnly", z.boolean()), "Nodes may not write to it."),
  nodes: describe(z.enum(["all", "controlplane", "worker"]), "Which nodes get it; all when left out.").optional(),
});

const featureGates = map({ length: 100, pattern: /^[A-Z][A-Za-z0-9]*$/, format: "feature-gate" }, z.boolean(), 64);

const runtimeConfig = map({ length: 100, pattern: /^[a-z0-9.]+([/][a-z0-9]+)?$/, format: "api-group" }, line(100), 64);

/** Nodes are containers on one Docker host, made by the kind program. */
export const kind = z.strictObject({
  controlPlanes: describe(defaulted("spec.kind.controlPlanes", memberCount), "Number of control planes."),
  workers: describe(defaulted("spec.kind.workers", integer(0, 100)), "Number of workers."),
  image: describe(imageReference, "Node image; derived from the Kubernetes version when left out.", {
    form: { placeholder: "kindest/node:v1.34.4" },
  }).optional(),
  nodeLabels: describe(labels, "Labels of every node.").optional(),
  mounts: describe(z.array(mount).max(32), "Folders of the host that the nodes see.").optional(),
  registries: describe(z.array(registryMirror).max(32), "Where the nodes pull images from.", {
    listKey: "host",
    form: { advanced: true },
  }).optional(),
  preloadImages: describe(
    z.array(imageReference).max(64),
    "Images of the host's Docker that are loaded into the nodes before anything else runs.",
  ).optional(),
  network: describe(dnsLabel, "Docker network of the nodes; kind's own when left out.", {
    form: { advanced: true },
  }).optional(),
  featureGates: describe(featureGates, "Feature gates of all components.", { form: { advanced: true } }).optional(),
  runtimeConfig: describe(runtimeConfig, "APIs to turn on or off.", { form: { advanced: true } }).optional(),
  containerdPatches: describe(z.array(block(16_384)).max(8), "TOML merged into the containerd configuration.", {
    form: { widget: "textarea", advanced: true },
  }).optional(),
  kubeadmPatches: describe(z.array(block(16_384)).max(16), "YAML merged into the kubeadm configuration.", {
    form: { widget: "textarea", advanced: true },
  }).optional(),
});
