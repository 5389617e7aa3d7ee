import { DroverError } from "@drover/contract";
import type { KubernetesApi, KubernetesTarget } from "../../../ports/kubernetes-api.ts";
import { KubernetesError } from "../../../ports/kubernetes-api.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { findTarget } from "../target.ts";

/** Finds out whether the kubeconfig works, and says why where it does not. Writes nothing into the cluster. */
export function connectImportedCluster(parts: { readonly kubernetes: KubernetesApi }): Step {
  const findOut = async (context: StepContext) => {
    const { cluster, signal } = context;
    const found = await findTarget(cluster, (owner, name) => context.readSecret(owner, name));
    if ("missing" in found) throw new DroverError("secret-not-found", found.missing);
    return await connect(parts.kubernetes, found.target, signal);
  };
  return {
    name: "connect-imported-cluster",
    precheck: async () => false,
    run: async (context) => {
      const { cluster, step } = context;
      await context.change(step.host, `Connect to ${cluster.name} with its kubeconfig`, async () => {
        context.log(await findOut(context));
      });
    },
    verify: async () => true,
  };
}

async function connect(kubernetes: KubernetesApi, target: KubernetesTarget, signal: AbortSignal): Promise<string> {
  try {
    const { endpoint, version, withheld } = await kubernetes.look(target, { thorough: true, signal });
    const unseen = withheld.length === 0 ? "" : ` The credentials may not see its ${withheld.join(" and ")}.`;
    return `${endpoint} answers with Kubernetes ${version ?? "of an unknown version"}.${unseen}`;
  } catch (error) {
    if (error instanceof KubernetesError) throw explain(error);
    throw error;
  }
}

/** What does not get better by trying again is not tried again. */
function explain({ reason, message }: KubernetesError): DroverError {
  if (reason === "unreachable") return new DroverError("step-failed", message);
  if (reason === "forbidden-kubeconfig") return new DroverError("kubeconfig-refused", message);
  return new DroverError("credentials-refused", message);
}
