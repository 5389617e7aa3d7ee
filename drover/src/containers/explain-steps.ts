import type { Step } from "../ports/step.ts";
import { explainEngine } from "./explain-failure.ts";

/** What Docker has to say against a step reaches people as an error with a code and a next move. */
export function explained(step: Step): Step {
  const attempt = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw explainEngine(error);
    }
  };
  const { verify, undo } = step;
  return {
    ...step,
    precheck: (context) => attempt(step.precheck(context)),
    run: (context) => attempt(step.run(context)),
    ...(verify === undefined ? {} : { verify: (context) => attempt(verify(context)) }),
    ...(undo === undefined ? {} : { undo: (context) => attempt(undo(context)) }),
  };
}
