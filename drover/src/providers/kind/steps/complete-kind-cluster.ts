import { explained } from "../../../containers/explain-steps.ts";
import type { Step } from "../../../ports/step.ts";
import type { KindHost } from "../host.ts";
import { findMarked, requireMarked } from "./seen-cluster.ts";

/** Sets the mark that tells a finished cluster from one whose creation was cut off. */
export function completeKindCluster(host: KindHost): Step {
  return explained({
    name: "complete-kind-cluster",
    light: true,
    precheck: async (context) => (await findMarked(host, context))?.mark.stage === "complete",
    run: (context) => {
      const text = `Mark the kind cluster ${context.cluster.name} as complete`;
      return context.change(context.step.host, text, async () => {
        const { seen, mark } = await requireMarked(host, context);
        await host.marks.write(seen.controlPlanes, { ...mark, stage: "complete" }, context.signal);
      });
    },
  });
}
