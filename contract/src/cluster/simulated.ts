import { z } from "zod";
import { defaulted, defaultedBlock } from "./defaults.ts";
import { describe } from "./field.ts";
import { integer, line, memberCount } from "./scalars.ts";

export const SIMULATED_OPERATIONS = ["create", "update", "upgrade", "delete", "observe", "any"] as const;
export const SIMULATED_EFFECTS = [
  /** The operation reports an error and has done nothing. */
  "fail",
  /** It never answers. */
  "hang",
  /** It reports an error although it has done its work. */
  "done-yet-fails",
  /** It reports success and has done nothing. */
  "nothing-yet-succeeds",
  "unreachable",
  "node-lost",
  "drift",
  "reboot",
] as const;

const fault = z.strictObject({
  operation: describe(z.enum(SIMULATED_OPERATIONS), "When it happens."),
  effect: describe(z.enum(SIMULATED_EFFECTS), "What happens."),
  percent: describe(integer(0, 100), "How often, of a hundred times; always when left out.").optional(),
  times: describe(integer(1, 1_000_000), "How many times at most; without end when left out.").optional(),
  after: describe(integer(0, 1_000_000), "How many operations go well before the first.").optional(),
  message: describe(line(1024), "What the error says.").optional(),
});

const latency = z
  .strictObject({
    minimumMs: describe(
      defaulted("spec.simulated.latency.minimumMs", integer(0, 600_000)),
      "Shortest time a step takes.",
    ),
    maximumMs: describe(
      defaulted("spec.simulated.latency.maximumMs", integer(0, 600_000)),
      "Longest time a step takes.",
    ),
  })
  .meta({ cel: [{ rule: "self.minimumMs <= self.maximumMs", message: "minimumMs is larger than maximumMs" }] });

/** No cluster at all: for demonstrations, for scale and for faults on demand. Always shown as simulated. */
export const simulated = z.strictObject({
  controlPlanes: describe(defaulted("spec.simulated.controlPlanes", memberCount), "Number of control planes."),
  workers: describe(defaulted("spec.simulated.workers", integer(0, 1000)), "Number of workers."),
  seed: describe(defaulted("spec.simulated.seed", integer(0, 2_147_483_647)), "Decides everything that looks random."),
  latency: describe(defaultedBlock("spec.simulated.latency", latency), "How long steps take."),
  faults: describe(z.array(fault).max(64), "What goes wrong.").optional(),
});
