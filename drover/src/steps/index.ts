import type { Clock } from "../ports/clock.ts";
import { type KubernetesApi, NO_KUBERNETES } from "../ports/kubernetes-api.ts";
import type { Provider } from "../ports/provider.ts";
import type { Step, StepRegistry } from "../ports/step.ts";
import type { Timer } from "../ports/timer.ts";
import { cordonNode } from "./cordon-node.ts";
import { drainNode } from "./drain-node.ts";
import { grantAccess } from "./grant-access.ts";
import { proveEverythingGone } from "./prove-everything-gone.ts";
import { removeOwnObjects } from "./remove-own-objects.ts";
import { revokeAccess } from "./revoke-access.ts";
import { uncordonNode } from "./uncordon-node.ts";
import { verifyClusterAnswers } from "./verify-cluster-answers.ts";

export type { LimitedRole } from "./access/access-objects.ts";
export { type Grant, inputOf, type Revocation } from "./access/grant-of-step.ts";
export { DRAIN_PATIENCE_MS } from "./drain-node.ts";
export { PROVE_EVERYTHING_GONE, type ProofOfAbsence } from "./prove-everything-gone.ts";
export { REMOVE_OWN_OBJECTS } from "./remove-own-objects.ts";

export interface StepParts {
  readonly providers: ReadonlyMap<string, Provider>;
  /** Left out where nothing is run. */
  readonly kubernetes?: KubernetesApi;
  readonly clock: Clock;
  readonly timer: Timer;
}

/** Every step that any plan can name: the shared ones, one line each, and those of the providers. */
export function registerSteps({ providers, kubernetes = NO_KUBERNETES, clock, timer }: StepParts): StepRegistry {
  const findProvider = (id: string): Provider => {
    const provider = providers.get(id);
    if (provider === undefined) throw new Error(`The provider ${id} is not part of this process.`);
    return provider;
  };
  const registry = new Map<string, Step>();
  const inside = { findProvider, kubernetes, clock, timer };
  const shared = [
    verifyClusterAnswers({ findProvider, timer }),
    proveEverythingGone({ findProvider, clock }),
    cordonNode(inside),
    uncordonNode(inside),
    drainNode(inside),
    grantAccess(inside),
    revokeAccess(inside),
    removeOwnObjects(inside),
  ];
  for (const step of [...shared, ...[...providers.values()].flatMap(({ steps }) => steps)]) {
    if (registry.has(step.name)) throw new Error(`Two steps are called ${step.name}; give one another name.`);
    registry.set(step.name, step);
  }
  return registry;
}
