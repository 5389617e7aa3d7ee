import type { Step, StepContext } from "../../../ports/step.ts";
import type { SimulatedCloud } from "../cloud.ts";
import { isOlder } from "../look.ts";
import type { WorldObject } from "../world-state.ts";
import { findThings } from "./things.ts";

export type UpgradeNodeInput = { readonly node: string; readonly version: string };

/** A node that was lost meanwhile is not missed here: it comes back, with the new version, by repair. */
export function upgradeSimulatedNode(cloud: SimulatedCloud): Step {
  const findOld = (context: StepContext): readonly WorldObject[] => {
    const { node, version } = context.step.input as UpgradeNodeInput;
    return findThings(cloud, context, { kind: "node", name: node }).filter((object) =>
      isOlder(object.version, version),
    );
  };
  return {
    name: "upgrade-simulated-node",
    precheck: async (context) => findOld(context).length === 0,
    run: async (context) => {
      const { node, version } = context.step.input as UpgradeNodeInput;
      const text = `Drain the simulated node ${node}, upgrade it to Kubernetes ${version}, and bring it back`;
      await context.change(context.step.host, text, async () => {
        for (const { id } of findOld(context)) await cloud.call(context, "upgrade-node", { object: id, version });
      });
    },
  };
}
