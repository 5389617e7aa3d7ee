import { DroverError } from "@drover/contract";
import { stringify } from "yaml";
import { type ContextParts, type Kubeconfig, kubeconfigOf } from "../../domain/kubeconfig.ts";
import { refused } from "../declare-cluster.ts";
import type { ReadResult } from "../read-documents.ts";

export function readKubeconfig(read: ReadResult): Kubeconfig {
  if (!read.ok) throw refused(read.problems);
  const [document, ...others] = read.documents;
  const kubeconfig = others.length > 0 ? null : kubeconfigOf(document?.data);
  if (kubeconfig !== null) return kubeconfig;
  throw new DroverError("document-unparsable", "The text is not one kubeconfig (kind: Config).");
}

/** A kubeconfig with nothing in it but what one context needs. */
export function writeContext({ context, cluster, user }: ContextParts): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": context.name,
    contexts: [{ name: context.name, context: context.fields }],
    clusters: [{ name: cluster.name, cluster: cluster.fields }],
    users: [{ name: user.name, user: user.fields }],
  });
}
