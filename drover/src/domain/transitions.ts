import type { ClusterEvent } from "./cluster-events.ts";
import type { Row, Stage } from "./transition.ts";
import { JOB_TRANSITIONS } from "./transition-jobs.ts";
import { OBSERVATION_TRANSITIONS } from "./transition-observations.ts";
import { REQUEST_TRANSITIONS } from "./transition-requests.ts";

/**
 * What comes of every event in every stage. The three parts, each told in prose where it stands, are what people ask
 * for, what workers do and what the reconciler sees.
 *
 * The table explains; it does not decide. A phase is derived from facts (phase.ts) that each event changes
 * (apply-event.ts). A test walks through every situation a cluster can get into and finds exactly the answers of
 * this table, none missing and none too many.
 */
export const TRANSITIONS: Readonly<Record<ClusterEvent, Row>> = {
  ...REQUEST_TRANSITIONS,
  ...JOB_TRANSITIONS,
  ...OBSERVATION_TRANSITIONS,
};

export interface Edge {
  readonly from: Stage;
  readonly to: Stage;
  readonly events: readonly ClusterEvent[];
}

/** The ways from one stage to another one, with all events that lead there. */
export function listEdges(): readonly Edge[] {
  const edges = new Map<string, { from: Stage; to: Stage; events: ClusterEvent[] }>();
  for (const [event, row] of Object.entries(TRANSITIONS) as [ClusterEvent, Row][]) {
    for (const [from, cell] of Object.entries(row) as [Stage, Row[Stage]][]) {
      for (const answer of cell) {
        if (answer.kind !== "to" || answer.stage === from) continue;
        const key = `${from} ${answer.stage}`;
        const edge = edges.get(key) ?? { from, to: answer.stage, events: [] };
        edge.events.push(event);
        edges.set(key, edge);
      }
    }
  }
  return [...edges.values()];
}
