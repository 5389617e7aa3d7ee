import { DroverError } from "@drover/contract";
import { textAt } from "../../domain/json-fields.ts";
import type { Clock } from "../../ports/clock.ts";
import type { StepContext } from "../../ports/step.ts";
import type { Timer } from "../../ports/timer.ts";
import { assertUnlocked, inWords, type Reached, type ReachParts, reachOfStep } from "../inside/reach-of-step.ts";

/** What steps that work on a node need. */
export interface NodeStepParts extends ReachParts {
  readonly clock: Clock;
  readonly timer: Timer;
}

/** The node that a step is about, and the way to it. */
export interface NodeOfStep extends Reached {
  readonly name: string;
  readonly path: string;
  /** As the API shows it. */
  readonly object: unknown;
}

export async function findNode(parts: NodeStepParts, context: StepContext): Promise<NodeOfStep> {
  const { cluster, step, signal } = context;
  const name = textAt(step.input, "node");
  if (name === null) throw new Error("A step about a node names the node.");
  assertUnlocked(context);
  const { kubernetes, target } = await reachOfStep(parts, context);
  const path = `/api/v1/nodes/${encodeURIComponent(name)}`;
  const object = await inWords(() => kubernetes.get(target, path, signal));
  if (object !== null) return { name, path, kubernetes, target, object };
  throw new DroverError("node-not-found", `The cluster ${cluster.name} has no node ${name}.`);
}
