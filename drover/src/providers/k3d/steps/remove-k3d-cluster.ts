import { endOlderTools } from "../../../containers/run-tool.ts";
import type { Step } from "../../../ports/step.ts";
import { clearAway, findBelongings, recordGone, SYSTEM } from "../clear-away.ts";
import type { K3dHost } from "../host.ts";

/**
 * Over Docker's own API, which also gets at what k3d does not know any more: the network and the tools of a create
 * that was killed early.
 */
export function removeK3dCluster(host: K3dHost): Step {
  return {
    name: "remove-k3d-cluster",
    precheck: async (context) => {
      const rows = (await context.ledger.list()).filter(({ system }) => system === SYSTEM);
      return rows.length === 0 && (await findBelongings(host, context)).length === 0;
    },
    run: (context) => {
      const text = `Remove all containers, the network and the volume of the k3d cluster ${context.cluster.name}`;
      return context.change(context.step.host, text, async () => {
        await endOlderTools(context);
        await clearAway(host, context, { aftermath: false });
        await recordGone(context);
      });
    },
  };
}
