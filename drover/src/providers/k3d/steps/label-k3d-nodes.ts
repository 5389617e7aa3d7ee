import { DroverError } from "@drover/contract";
import { listAt } from "../../../domain/json-fields.ts";
import { type NodePatch, nodeLabelPatches } from "../../../domain/node-labels.ts";
import type { KubernetesTarget } from "../../../ports/kubernetes-api.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { k3dPart } from "../declared.ts";
import type { K3dHost } from "../host.ts";

/** The labels of the spec on every node: those that came with the cluster, and those that came later. */
export function labelK3dNodes(host: K3dHost): Step {
  return {
    name: "label-k3d-nodes",
    precheck: async (context) => (await findPatches(host, context)).patches.length === 0,
    run: (context) => {
      const text = `Set the declared labels on all nodes of ${context.cluster.name}`;
      return context.change(context.step.host, text, async () => {
        const { target, patches } = await findPatches(host, context);
        for (const { node, patch } of patches) {
          context.log(`Labelling ${node}.`);
          await host.parts.kubernetes.patch(target, `/api/v1/nodes/${node}`, patch, { signal: context.signal });
        }
      });
    },
  };
}

async function findPatches(
  host: K3dHost,
  { cluster, signal }: StepContext,
): Promise<{ readonly target: KubernetesTarget; readonly patches: readonly NodePatch[] }> {
  const target = await host.target(cluster, await host.see(cluster, signal), signal);
  if (target === null) throw new DroverError("cluster-not-ready", `The API of ${cluster.name} is not published.`);
  const nodes = listAt(await host.parts.kubernetes.get(target, "/api/v1/nodes", signal), "items");
  return { target, patches: nodeLabelPatches(nodes, k3dPart(cluster.spec).nodeLabels ?? {}) };
}
