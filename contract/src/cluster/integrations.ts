import { z } from "zod";
import { defaulted } from "./defaults.ts";
import { describe } from "./field.ts";
import { dnsLabel, labels, line, port, relativePath, text } from "./scalars.ts";

const instance = describe(dnsLabel, "Which of the instances set up in Drover; the only one when left out.", {
  form: { advanced: true },
});

const git = z.strictObject({
  enabled: describe(defaulted("spec.integrations.git.enabled", z.boolean()), "Keep a branch for this cluster."),
  instance: instance.optional(),
  branch: describe(
    text(100, /^[a-z0-9]+([._-][a-z0-9]+)*$/, "branch"),
    "Name of the branch; the cluster's when left out.",
  ).optional(),
  path: describe(relativePath, "Folder in the branch that holds the manifests.").optional(),
  application: describe(dnsLabel, "Set of manifests that a new branch starts with; whoami when left out.").optional(),
});

const argocd = z.strictObject({
  enabled: describe(defaulted("spec.integrations.argocd.enabled", z.boolean()), "Register the cluster in Argo CD."),
  instance: instance.optional(),
  namespace: describe(defaulted("spec.integrations.argocd.namespace", dnsLabel), "Namespace of Argo CD."),
  project: describe(defaulted("spec.integrations.argocd.project", dnsLabel), "Argo CD project of the applications."),
  labels: describe(labels, "Labels of the cluster in Argo CD, in addition to its own.").optional(),
});

const portainer = z.strictObject({
  enabled: describe(
    defaulted("spec.integrations.portainer.enabled", z.boolean()),
    "Register the cluster in Portainer.",
  ),
  instance: instance.optional(),
  group: describe(line(64), "Group of the environment in Portainer.").optional(),
  tags: describe(z.array(line(64)).max(32), "Tags of the environment in Portainer.").optional(),
});

const haproxy = z.strictObject({
  enabled: describe(defaulted("spec.integrations.haproxy.enabled", z.boolean()), "Route host names to the cluster."),
  instance: instance.optional(),
  services: describe(
    z
      .array(
        z.strictObject({
          name: describe(dnsLabel, "First part of the host name: <name>.<cluster>.<base domain>."),
          port: describe(port, "Port of the cluster that answers; the one of its ingress when left out.").optional(),
        }),
      )
      .max(32),
    "Services that get a host name; whoami when left out.",
    { listKey: "name" },
  ).optional(),
});

export const integrations = z.strictObject({
  git: describe(git, "A git branch with the manifests of the cluster's applications.").optional(),
  argocd: describe(argocd, "Argo CD delivers what the branch holds.").optional(),
  portainer: describe(portainer, "The cluster as an environment of Portainer.").optional(),
  haproxy: describe(haproxy, "Host names that lead into the cluster.").optional(),
});
