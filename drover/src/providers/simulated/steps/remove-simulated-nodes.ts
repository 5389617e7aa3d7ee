import type { Step, StepContext } from "../../../ports/step.ts";
import type { SimulatedCloud } from "../cloud.ts";
import type { WorldObject } from "../world-state.ts";
import { recordIfGone, removeObject, SYSTEM } from "./things.ts";

export type RemoveNodesInput = { readonly keep: readonly string[] };

/**
 * Removes every node of the cluster that is not to be kept, one after the other: workers first, then control planes,
 * the youngest first. It goes by what is there when it runs, not by what was there when it was planned.
 */
export function removeSimulatedNodes(cloud: SimulatedCloud): Step {
  return {
    name: "remove-simulated-nodes",
    precheck: async (context) => {
      return findUnwanted(cloud, context).length === 0 && (await findVanished(cloud, context)).length === 0;
    },
    run: async (context) => {
      const { host } = context.step;
      const unwanted = findUnwanted(cloud, context);
      for (const [index, object] of unwanted.entries()) {
        const text = `Drain and remove the simulated node ${object.name}`;
        await context.change(host, text, () => removeObject(cloud, context, object));
        context.progress(Math.round(((index + 1) / unwanted.length) * 100));
      }
      for (const name of await findVanished(cloud, context)) {
        const text = `Write down that the simulated node ${name} is gone`;
        await context.change(host, text, () => recordIfGone(cloud, context, { kind: "node", name }));
      }
    },
  };
}

const nodesOf = (cloud: SimulatedCloud, { cluster }: StepContext): readonly WorldObject[] =>
  cloud.objectsOf(cluster.id).filter(({ kind }) => kind === "node");

/** Not named, or a second one under a name. */
function findUnwanted(cloud: SimulatedCloud, context: StepContext): readonly WorldObject[] {
  const keep = new Set((context.step.input as RemoveNodesInput).keep);
  const unwanted = nodesOf(cloud, context).filter(({ name }) => !keep.delete(name));
  const youngestFirst = [...unwanted].reverse();
  return [
    ...youngestFirst.filter(({ role }) => role === "worker"),
    ...youngestFirst.filter(({ role }) => role !== "worker"),
  ];
}

/** Nodes that Drover's ledger still names although they are neither there nor wanted. */
async function findVanished(cloud: SimulatedCloud, context: StepContext): Promise<readonly string[]> {
  const { keep } = context.step.input as RemoveNodesInput;
  const there = new Set([...keep, ...nodesOf(cloud, context).map(({ name }) => name)]);
  const rows = await context.ledger.list();
  return rows
    .filter(({ system, kind, state }) => system === SYSTEM && kind === "node" && state !== "gone")
    .map(({ ref }) => ref.slice(context.cluster.name.length + 1))
    .filter((name) => !there.has(name));
}
