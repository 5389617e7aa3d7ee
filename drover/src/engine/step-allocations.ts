import { DroverError } from "@drover/contract";
import type { StepContext } from "../ports/step.ts";
import type { PlanEnvironment } from "./plan-environment.ts";

/** More in a row that others use means that the range is not ours to use. */
const MOST_TRIES = 256;

/**
 * A choice is stored before the host is asked about it: whoever asks the host first could be overtaken by another
 * cluster. After a crash in between the choice is there, and the host is asked again.
 */
export function createAllocations(
  env: PlanEnvironment,
  { signal }: { readonly signal: AbortSignal },
  whileHeld: <T>(write: () => Promise<T>) => Promise<T>,
): StepContext["allocations"] {
  const { jobs, read } = env.store;
  const { pools } = env.tuning;
  return {
    list: async () => (await read.listAllocations([env.cluster.id])).get(env.cluster.id) ?? [],
    reserve: async (wish, isFree) => {
      const except: string[] = [];
      while (except.length < MOST_TRIES) {
        signal.throwIfAborted();
        const chosen = await whileHeld(() => jobs.reserveAllocation(env.ref, wish, { pools, except }));
        if (await isFree(chosen.value)) return chosen;
        except.push(chosen.value);
      }
      const message = `Each of the first ${MOST_TRIES} candidates is used by other programs of the host, from ${except[0]} to ${except.at(-1)}.`;
      throw new DroverError("allocation-exhausted", message);
    },
    keepOnly: (slots) => whileHeld(() => jobs.keepAllocations(env.ref, slots)),
  };
}
