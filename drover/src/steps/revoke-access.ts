import type { Step } from "../ports/step.ts";
import { sleep, type Timer } from "../ports/timer.ts";
import { grantPath } from "./access/access-objects.ts";
import { revocationOf } from "./access/grant-of-step.ts";
import { removeOwn } from "./access/own-objects.ts";
import { assertUnlocked, inWords, type ReachParts, reachOfStep } from "./inside/reach-of-step.ts";

/**
 * An API server takes a token that it found good for good for another ten seconds without looking again. That time
 * cannot be asked for; it is the same in all of them.
 */
export const REMEMBERED_MS = 10_500;

/**
 * Takes away what the token of a kubeconfig is bound to. Only when the token is refused the record says that it is
 * revoked.
 */
export function revokeAccess(parts: ReachParts & { readonly timer: Timer }): Step {
  return {
    name: "revoke-access",
    // Only the record tells whether all of it was done, and to do it again is harmless.
    precheck: async () => false,
    run: async (context) => {
      const { id, by } = revocationOf(context);
      assertUnlocked(context);
      await context.change(context.step.host, `Make the kubeconfig ${id} useless`, async () => {
        await removeOwn(context, await reachOfStep(parts, context), grantPath(context.cluster.id, id));
        context.log("It is taken away. Waiting until no API server remembers it.");
        await sleep(parts.timer, REMEMBERED_MS, context.signal);
        context.signal.throwIfAborted();
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
