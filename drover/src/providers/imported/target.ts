import { textAt } from "../../domain/json-fields.ts";
import type { KubernetesTarget } from "../../ports/kubernetes-api.ts";
import type { ProviderCluster } from "../../ports/provider.ts";
import { NAMED_SECRETS } from "../../ports/store/index.ts";

/** Reads a secret of Drover's; null when there is none of that name. */
export type ReadSecret = (owner: string, name: string) => Promise<Uint8Array | null>;

export type FoundTarget = { readonly target: KubernetesTarget } | { readonly missing: string };

/** How the cluster is reached, or what is missing to reach it. */
export async function findTarget({ spec }: ProviderCluster, readSecret: ReadSecret): Promise<FoundTarget> {
  const { imported } = spec;
  if (imported === undefined) return { missing: "The spec does not say where its kubeconfig is." };
  const { name, key = "kubeconfig" } = imported.kubeconfig;
  const value = await readSecret(NAMED_SECRETS, name);
  if (value === null) return { missing: `The secret "${name}" with its kubeconfig is not there.` };
  const kubeconfig = textAt(JSON.parse(Buffer.from(value).toString()), key);
  if (kubeconfig === null) return { missing: `The secret "${name}" has no entry "${key}" with its kubeconfig.` };
  return { target: { kubeconfig, context: imported.context, allow: imported.allow } };
}
