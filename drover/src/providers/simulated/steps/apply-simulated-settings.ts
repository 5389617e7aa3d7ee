import type { Step, StepContext } from "../../../ports/step.ts";
import type { SimulatedCloud } from "../cloud.ts";
import type { WorldObject } from "../world-state.ts";

export type ApplySettingsInput = { readonly settings: string };

export function applySimulatedSettings(cloud: SimulatedCloud): Step {
  const findDifferent = ({ cluster, step }: StepContext): readonly WorldObject[] =>
    cloud
      .objectsOf(cluster.id)
      .filter(({ kind, settings }) => kind === "cluster" && settings !== (step.input as ApplySettingsInput).settings);
  return {
    name: "apply-simulated-settings",
    precheck: async (context) => findDifferent(context).length === 0,
    run: async (context) => {
      const { settings } = context.step.input as ApplySettingsInput;
      const text = `Configure the networks of the simulated cluster ${context.cluster.name}`;
      await context.change(context.step.host, text, async () => {
        for (const { id } of findDifferent(context)) {
          await cloud.call(context, "apply-settings", { object: id, settings });
        }
      });
    },
  };
}
