import { explained } from "../../../containers/explain-steps.ts";
import { labelNodes, unlabelledNodes } from "../../../containers/label-nodes.ts";
import { KubernetesError } from "../../../ports/kubernetes-api.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { kindPart } from "../declared.ts";
import type { KindHost } from "../host.ts";
import { findTarget } from "./seen-cluster.ts";

const wantedLabels = ({ cluster }: StepContext) => kindPart(cluster.spec).nodeLabels ?? {};

export function labelKindNodes(host: KindHost): Step {
  const { kubernetes } = host.parts;
  const isLabelled = async (context: StepContext): Promise<boolean> => {
    const target = await findTarget(host, context);
    if (target === null) return false;
    return (await unlabelledNodes(kubernetes, target, wantedLabels(context), context.signal)).length === 0;
  };
  return explained({
    name: "label-kind-nodes",
    light: true,
    precheck: async (context) => {
      try {
        return await isLabelled(context);
      } catch (error) {
        if (error instanceof KubernetesError) return false;
        throw error;
      }
    },
    run: (context) => {
      const text = `Set the declared labels on the nodes of ${context.cluster.name}`;
      return context.change(context.step.host, text, async () => {
        const target = await findTarget(host, context);
        if (target === null) throw new KubernetesError("unreachable", "The API of the cluster is not published.");
        const labels = wantedLabels(context);
        const names = await unlabelledNodes(kubernetes, target, labels, context.signal);
        await labelNodes(kubernetes, target, names, labels, context.signal);
      });
    },
    verify: isLabelled,
  });
}
