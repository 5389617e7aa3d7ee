import { type Pipeline, planSteps, type StepUse } from "../domain/pipeline.ts";
import { type Plan, planHash } from "../domain/plan.ts";
import { sha256 } from "../lib/sha256.ts";
import { type Grant, inputOf, type Revocation } from "../steps/index.ts";
import type { MadePlan } from "./make-plan.ts";

interface Planned {
  readonly specHash: string;
}

/** Several requests of which each has its own deadline; whoever asked waits for it. */
const DEADLINE_MS = 60_000;

/**
 * The plan of a kubeconfig that is to be made. Like work on a node it does not depend on what is seen, and tells the
 * worker what is meant.
 */
export const planGrant = (cluster: Planned, grant: Grant): MadePlan =>
  planAccess(cluster, "grant-access", {
    step: "grant-access",
    title: `Make a kubeconfig for the role ${grant.role}`,
    input: inputOf(grant),
    deadlineMs: DEADLINE_MS,
    changes: [`Lets whoever has the kubeconfig in as ${grant.role}`],
  });

export const planRevocation = (cluster: Planned, revocation: Revocation): MadePlan =>
  planAccess(cluster, "revoke-access", {
    step: "revoke-access",
    title: "Make a kubeconfig useless",
    input: inputOf(revocation),
    deadlineMs: DEADLINE_MS,
    changes: [`Shuts out whoever has the kubeconfig ${revocation.id}`],
  });

function planAccess({ specHash }: Planned, name: string, use: StepUse): MadePlan {
  const pipeline: Pipeline = {
    name,
    modules: [{ title: "Change access", tasks: [{ title: "Kubeconfig", steps: [use] }] }],
  };
  const plan: Plan = { pipeline: name, specHash, change: "nothing", steps: planSteps(pipeline) };
  return { plan, hash: planHash(plan, sha256) };
}
