import { explained } from "../../../containers/explain-steps.ts";
import { endOlderTools, hasOlderTools } from "../../../containers/run-tool.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { clearAway, findBelongings, recordGone, removeNetworks, SYSTEM } from "../clear-away.ts";
import type { KindHost } from "../host.ts";
import { removeFolder } from "../run-kind.ts";

/**
 * Removes every container of the cluster with its volumes, as `kind delete cluster` does, but by id: what somebody else
 * has under the same name cannot be met.
 */
export function removeKindCluster(host: KindHost): Step {
  return explained({
    name: "remove-kind-cluster",
    precheck: async (context) =>
      (await findBelongings(host, context)).length === 0 &&
      !(await isRecorded(context)) &&
      !(await hasOlderTools(context)),
    run: (context) => {
      const text = `Remove the kind cluster ${context.cluster.name}`;
      return context.change(context.step.host, text, async () => {
        const interrupted = await hasOlderTools(context);
        await endOlderTools(context);
        await clearAway(host, context, { aftermath: interrupted });
        await removeNetworks(host, context);
        await removeFolder(context, host.parts.settings);
        await recordGone(host, context);
      });
    },
  });
}

async function isRecorded({ ledger }: StepContext): Promise<boolean> {
  return (await ledger.list()).some(({ system, state }) => system === SYSTEM && state !== "gone");
}
