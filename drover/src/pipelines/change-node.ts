import { type Pipeline, planSteps, type StepUse } from "../domain/pipeline.ts";
import { type Plan, planHash } from "../domain/plan.ts";
import { sha256 } from "../lib/sha256.ts";
import { DRAIN_PATIENCE_MS } from "../steps/index.ts";
import type { MadePlan } from "./make-plan.ts";

export interface NodeChange {
  readonly action: "cordon" | "uncordon" | "drain";
  readonly node: string;
  /** Drain: also pods that nothing would make again. */
  readonly force: boolean;
}

/** What a step may need beyond its own patience: to notice, and to say what was in the way. */
const SLACK_MS = 60_000;

/**
 * The plan of work on one node. It does not depend on what is seen: its steps look for themselves. So it is made where it
 * is asked for, and tells the worker which node is meant.
 */
export function planNodeChange({ specHash }: { readonly specHash: string }, change: NodeChange): MadePlan {
  const plan: Plan = {
    pipeline: `${change.action}-node`,
    specHash,
    change: "nothing",
    steps: planSteps(pipelineOf(change)),
  };
  return { plan, hash: planHash(plan, sha256) };
}

function pipelineOf({ action, node, force }: NodeChange): Pipeline {
  const drain: StepUse = {
    step: "drain-node",
    title: `Drain ${node}`,
    input: { node, force },
    deadlineMs: DRAIN_PATIENCE_MS + SLACK_MS,
    // It asks again and again by itself.
    retry: { attempts: 1, baseMs: 1_000, capMs: 1_000 },
    changes: [`Evicts the pods of ${node}, as their disruption budgets allow`],
  };
  const cordon: StepUse = {
    step: "cordon-node",
    title: `Cordon ${node}`,
    input: { node },
    changes: [`Keeps new pods away from ${node}`],
  };
  const uncordon: StepUse = {
    step: "uncordon-node",
    title: `Uncordon ${node}`,
    input: { node },
    changes: [`Lets new pods come to ${node}`],
  };
  const uses = { cordon: [cordon], uncordon: [uncordon], drain: [cordon, drain] }[action];
  return {
    name: `${action}-node`,
    modules: [{ title: "Change the node", tasks: uses.map((use) => ({ title: use.title, steps: [use] })) }],
  };
}
