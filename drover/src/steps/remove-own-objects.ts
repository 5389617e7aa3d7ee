import { DroverError, isDroverError } from "@drover/contract";
import type { Step, StepContext } from "../ports/step.ts";
import { sleep, type Timer } from "../ports/timer.ts";
import { listOwn, pathOf, removeOwn } from "./access/own-objects.ts";
import { type ReachParts, reachOfStep } from "./inside/reach-of-step.ts";

export const REMOVE_OWN_OBJECTS = "remove-own-objects";

/** How long Kubernetes has to clear a namespace away. */
const PATIENCE_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

/**
 * Removes what Drover has made inside a cluster that stays. It goes by the ledger alone, so a cluster in which nothing
 * was made is not asked anything; also of a locked one, as it is ours.
 */
export function removeOwnObjects(parts: ReachParts & { readonly timer: Timer }): Step {
  return {
    name: REMOVE_OWN_OBJECTS,
    precheck: async (context) => (await listOwn(context)).length === 0,
    run: async (context) => {
      const text = `Remove what Drover has made inside ${context.cluster.name}`;
      await context.change(context.step.host, text, () => withNextMove(context, () => removeAll(parts, context)));
    },
  };
}

async function removeAll(parts: ReachParts & { readonly timer: Timer }, context: StepContext): Promise<void> {
  const reached = await reachOfStep(parts, context);
  let waited = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    for (const row of await listOwn(context)) await removeOwn(context, reached, pathOf(row));
    const left = await listOwn(context);
    if (left.length === 0) return;
    if (waited >= PATIENCE_MS) throw stillThere(context.cluster.name, left.map(pathOf));
    await sleep(parts.timer, pauseMs, context.signal);
    context.signal.throwIfAborted();
    waited += pauseMs;
  }
}

/** Somebody who wants the cluster out of Drover has to know that they can have it. */
async function withNextMove(context: StepContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isDroverError(error) || context.signal.aborted) throw error;
    const next = "Bring the cluster back, or delete it again with --release-leftovers.";
    throw new DroverError("objects-remain", `What Drover has made inside cannot be removed: ${error.message} ${next}`, {
      details: error.details,
    });
  }
}

function stillThere(name: string, paths: readonly string[]): DroverError {
  return new DroverError("objects-remain", `Inside ${name} there is still: ${paths.join(", ")}.`, {
    details: { blockers: paths },
  });
}
