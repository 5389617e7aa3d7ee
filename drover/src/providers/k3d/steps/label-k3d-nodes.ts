import { DroverError } from "@drover/contract";
import { labelNodes, unlabelledNodes } from "../../../containers/label-nodes.ts";
import type { KubernetesTarget } from "../../../ports/kubernetes-api.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { k3dPart } from "../declared.ts";
import type { K3dHost } from "../host.ts";

/** The labels of the spec on every node: those that came with the cluster, and those that came later. */
export function labelK3dNodes(host: K3dHost): Step {
  const { kubernetes } = host.parts;
  return {
    name: "label-k3d-nodes",
    light: true,
    precheck: async (context) => {
      const target = await findTarget(host, context);
      return (
        target !== null && (await unlabelledNodes(kubernetes, target, labelsOf(context), context.signal)).length === 0
      );
    },
    run: (context) => {
      const text = `Set the declared labels on all nodes of ${context.cluster.name}`;
      return context.change(context.step.host, text, async () => {
        const target = await reach(host, context);
        const names = await unlabelledNodes(kubernetes, target, labelsOf(context), context.signal);
        await labelNodes(kubernetes, target, names, labelsOf(context), context.signal);
      });
    },
  };
}

const labelsOf = ({ cluster }: StepContext): Readonly<Record<string, string>> => k3dPart(cluster.spec).nodeLabels ?? {};

async function findTarget(host: K3dHost, { cluster, signal }: StepContext): Promise<KubernetesTarget | null> {
  return await host.target(cluster, await host.see(cluster, signal), signal);
}

async function reach(host: K3dHost, context: StepContext): Promise<KubernetesTarget> {
  const target = await findTarget(host, context);
  if (target !== null) return target;
  throw new DroverError("cluster-not-ready", `The API of ${context.cluster.name} is not published.`);
}
