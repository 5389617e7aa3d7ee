import type { Step, StepContext } from "../../../ports/step.ts";
import type { SimulatedCloud } from "../cloud.ts";
import type { WorldObject } from "../world-state.ts";

interface Switching {
  readonly name: string;
  readonly call: "stop-cluster" | "start-cluster";
  readonly text: string;
  readonly stopped: boolean;
}

/** Stopping and starting are the same thing in two directions. */
export function makeSwitchStep(cloud: SimulatedCloud, { name, call, text, stopped }: Switching): Step {
  const findOthers = ({ cluster }: StepContext): readonly WorldObject[] =>
    cloud.objectsOf(cluster.id).filter((object) => object.kind === "cluster" && object.stopped !== stopped);
  return {
    name,
    precheck: async (context) => findOthers(context).length === 0,
    run: async (context) => {
      await context.change(context.step.host, `${text} the simulated cluster ${context.cluster.name}`, async () => {
        for (const { id } of findOthers(context)) await cloud.call(context, call, { object: id });
      });
    },
  };
}
