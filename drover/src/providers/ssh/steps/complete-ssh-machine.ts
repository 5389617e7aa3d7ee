import type { Step } from "../../../ports/step.ts";
import { hasReached, reach } from "./member.ts";

/** The last thing that happens to a new node: what lacks this was cut off while it was made. */
export function completeSshMachine(): Step {
  return {
    name: "complete-ssh-machine",
    light: true,
    precheck: (context) => hasReached(context, "complete"),
    run: (context) =>
      context.change(context.step.host, `Mark ${context.step.host} as complete`, () => reach(context, "complete")),
  };
}
