import type { Step } from "../../api/objects.ts";
import { groupBy } from "../../lib/group-by.ts";
import { isOwnHost } from "./fold-steps.ts";

/** How far a host is. One that cannot be reached has not failed: its work goes on when it is back. */
export const LANE_STATES = ["Failed", "Unreachable", "Running", "Waiting", "Canceled", "Done"] as const;
export type LaneState = (typeof LANE_STATES)[number];

/** Everything that a job does on one host, in the order of the plan. */
export interface Lane {
  readonly host: string;
  readonly steps: readonly Step[];
  readonly state: LaneState;
  readonly done: number;
  /** What it is at, or stopped at, or does next; null when all is done. */
  readonly current: Step | null;
  readonly startedTime: string | null;
  /** Null while it is at something. */
  readonly finishedTime: string | null;
}

const UNREACHABLE = "machine-unreachable";

/** Whether a step stands still because its machine does not answer. */
export const isOutOfReach = ({ state, error }: Step): boolean =>
  state !== "Succeeded" && state !== "Skipped" && error?.code === UNREACHABLE;

const isDone = ({ state }: Step): boolean => state === "Succeeded" || state === "Skipped";

export function listLanes(steps: readonly Step[]): readonly Lane[] {
  return [...groupBy(steps, ({ host }) => host)].map(([host, inside]) => describeLane(host, inside));
}

/** Whether a job works on machines, so that it is worth telling them apart. */
export const hasHosts = (steps: readonly Step[]): boolean => steps.some(({ host }) => !isOwnHost(host));

function describeLane(host: string, steps: readonly Step[]): Lane {
  const open = steps.filter((step) => !isDone(step));
  const state = stateOf(open);
  const stopped = open.find((step) => step.state === "Failed" || step.error !== null);
  const current = open.find((step) => step.state === "Running") ?? stopped ?? open[0] ?? null;
  const started = steps.flatMap(({ startedTime }) => (startedTime === null ? [] : [startedTime])).sort();
  const finished = steps.flatMap(({ finishedTime }) => (finishedTime === null ? [] : [finishedTime])).sort();
  return {
    ...{ host, steps, state, current, done: steps.length - open.length, startedTime: started[0] ?? null },
    finishedTime: state === "Running" ? null : (finished.at(-1) ?? null),
  };
}

function stateOf(open: readonly Step[]): LaneState {
  const isAny = (state: Step["state"]) => open.some((step) => step.state === state);
  if (open.length === 0) return "Done";
  if (open.some(isOutOfReach)) return "Unreachable";
  if (isAny("Failed")) return "Failed";
  if (isAny("Running")) return "Running";
  return isAny("Canceled") ? "Canceled" : "Waiting";
}
