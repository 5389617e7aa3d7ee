import type { Step } from "../ports/step.ts";
import { grantPath } from "./access/access-objects.ts";
import { revocationOf } from "./access/grant-of-step.ts";
import { removeOwn } from "./access/own-objects.ts";
import { assertUnlocked, inWords, type ReachParts, reachOfStep } from "./reach-of-step.ts";

/** Takes away what the token of a kubeconfig is bound to. Only then the record says that it is revoked. */
export function revokeAccess(parts: ReachParts): Step {
  return {
    name: "revoke-access",
    // Only the record tells whether all of it was done, and to do it again is harmless.
    precheck: async () => false,
    run: async (context) => {
      const { id, by } = revocationOf(context);
      assertUnlocked(context);
      await context.change(context.step.host, `Make the kubeconfig ${id} useless`, async () => {
        await removeOwn(context, await reachOfStep(parts, context), grantPath(context.cluster.id, id));
        await context.kubeconfigs.revoked({ id, by });
      });
    },
    verify: async (context) => {
      const { kubernetes, target } = await reachOfStep(parts, context);
      const path = grantPath(context.cluster.id, revocationOf(context).id);
      return (await inWords(() => kubernetes.get(target, path, context.signal))) === null;
    },
  };
}
