import type { OBSERVATION_EVENTS } from "./cluster-events.ts";
import type { Row, Stage } from "./transition.ts";
import { ignored, row, stay, to } from "./transition.ts";

/*
 * What the reconciler sees.
 *
 * A look is always stored, but it moves only a cluster that is at rest and whose last job succeeded: Running,
 * Unreachable, Hibernated, Unknown, and Unavailable because it had vanished. While a job works on the cluster the job tells; after
 * a job that failed, no look makes the failure undone. A cluster that is declared absent is not gone because somebody
 * did not see it: the delete has to prove it, for everything that belongs to it.
 *
 * Drift and stalled retries are said beside the phase and never change it.
 */

const GONE = ignored("there is nothing to be observed");

const look = (seen: Stage): Row =>
  row(
    {
      Gone: [GONE],
      Running: [to(seen)],
      Unreachable: [to(seen)],
      Hibernated: [to(seen)],
      Unknown: [to(seen)],
      Unavailable:
        seen === "Unavailable"
          ? [to("Unavailable")]
          : [to("Unavailable", "the last job did not succeed"), to(seen, "it had only been seen gone")],
    },
    stay,
  );

const aside: Row = row({ Gone: [GONE] }, stay);

export const OBSERVATION_TRANSITIONS: Readonly<Record<keyof typeof OBSERVATION_EVENTS, Row>> = {
  reachable: look("Running"),
  unreachable: look("Unreachable"),
  observedAsleep: look("Hibernated"),
  observedAbsent: look("Unavailable"),
  observedUnknown: look("Unknown"),
  driftFound: aside,
  driftGone: aside,
  stalled: aside,
};
