import { DroverError } from "@drover/contract";
import { parse, stringify } from "yaml";
import { type Fields, textAt } from "../../domain/json-fields.ts";
import { findContext, kubeconfigOf } from "../../domain/kubeconfig.ts";
import type { KubernetesTarget } from "../../ports/kubernetes-api.ts";
import type { StepContext } from "../../ports/step.ts";

/** A kubeconfig for the same API server with other credentials. */
export async function writeKubeconfig(
  context: StepContext,
  target: KubernetesTarget,
  { role, token }: { readonly role: string; readonly token: string },
): Promise<string> {
  const cluster = await serverOf(context, target);
  const name = `drover-${context.cluster.name}`;
  const user = `${name}-${role}`;
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name, context: { cluster: name, user } }],
    "current-context": name,
  });
}

/** Where the API server is and how it proves itself, without any file of this machine. */
async function serverOf(context: StepContext, target: KubernetesTarget): Promise<Fields> {
  const kubeconfig = kubeconfigOf(parse(target.kubeconfig, { maxAliasCount: 0, logLevel: "error" }));
  const name = target.context ?? kubeconfig?.currentContext ?? null;
  const found = kubeconfig === null || name === null ? null : findContext(kubeconfig, name, "context");
  if (found === null || "problem" in found) {
    throw new DroverError("kubeconfig-refused", "The kubeconfig of the cluster does not say where its API server is.");
  }
  const { "certificate-authority": file, ...fields } = found.parts.cluster.fields;
  if (typeof file !== "string" || textAt(fields, "certificate-authority-data") !== null) return fields;
  const authority = await (await context.connect("local")).get(file);
  return { ...fields, "certificate-authority-data": Buffer.from(authority).toString("base64") };
}
