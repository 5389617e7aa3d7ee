import type { JobState, MachineState, Modifier, Phase, StepState } from "@drover/contract";
import {
  IconArrowsDiff,
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconHelpCircle,
  IconHourglass,
  IconLoader2,
  IconLock,
  IconMoon,
  IconPlayerPause,
  IconPlayerSkipForward,
  IconPlugConnectedX,
  IconTrash,
} from "@tabler/icons-react";
import type { ClusterNode, Worker } from "../../api/objects.ts";
import type { LaneState } from "../steps/host-lanes.ts";

export type Tone = "good" | "busy" | "warn" | "bad" | "idle";

/** How a state looks, always together with its word: nothing is told by colour alone. */
export interface Look {
  readonly tone: Tone;
  readonly icon: typeof IconClock;
  readonly turns?: boolean;
}

const busy: Look = { tone: "busy", icon: IconLoader2, turns: true };

export const PHASE_LOOKS: Readonly<Record<Phase, Look>> = {
  Pending: { tone: "idle", icon: IconClock },
  Creating: busy,
  Connecting: busy,
  Updating: busy,
  Canceling: { tone: "warn", icon: IconLoader2, turns: true },
  Deleting: { tone: "warn", icon: IconTrash },
  Running: { tone: "good", icon: IconCircleCheck },
  Unreachable: { tone: "warn", icon: IconPlugConnectedX },
  Unavailable: { tone: "bad", icon: IconCircleX },
  Hibernated: { tone: "idle", icon: IconMoon },
  Unknown: { tone: "idle", icon: IconHelpCircle },
};

export const MODIFIER_LOOKS: Readonly<Record<Modifier, Look>> = {
  Drifted: { tone: "warn", icon: IconArrowsDiff },
  Paused: { tone: "idle", icon: IconPlayerPause },
  Protected: { tone: "idle", icon: IconLock },
  Stalled: { tone: "bad", icon: IconHourglass },
};

export const JOB_LOOKS: Readonly<Record<JobState | "Canceling" | "Retrying", Look>> = {
  Pending: { tone: "idle", icon: IconClock },
  Processing: busy,
  Canceling: { tone: "warn", icon: IconLoader2, turns: true },
  Retrying: { tone: "warn", icon: IconHourglass },
  Succeeded: { tone: "good", icon: IconCircleCheck },
  Failed: { tone: "bad", icon: IconCircleX },
  Canceled: { tone: "warn", icon: IconBan },
};

export const STEP_LOOKS: Readonly<Record<StepState, Look>> = {
  Pending: { tone: "idle", icon: IconCircleDashed },
  Running: busy,
  Succeeded: { tone: "good", icon: IconCircleCheck },
  Skipped: { tone: "good", icon: IconPlayerSkipForward },
  Failed: { tone: "bad", icon: IconCircleX },
  Blocked: { tone: "idle", icon: IconCircleMinus },
  Canceled: { tone: "warn", icon: IconBan },
};

export const LANE_LOOKS: Readonly<Record<LaneState, Look>> = {
  Failed: { tone: "bad", icon: IconCircleX },
  Unreachable: { tone: "warn", icon: IconPlugConnectedX },
  Running: busy,
  Waiting: { tone: "idle", icon: IconCircleDashed },
  Canceled: { tone: "warn", icon: IconBan },
  Done: { tone: "good", icon: IconCircleCheck },
};

export const MACHINE_LOOKS: Readonly<Record<MachineState, Look>> = {
  Pending: { tone: "idle", icon: IconClock },
  Reachable: { tone: "good", icon: IconCircleCheck },
  Unreachable: { tone: "warn", icon: IconPlugConnectedX },
  KeyChanged: { tone: "bad", icon: IconLock },
  Denied: { tone: "bad", icon: IconBan },
};

export const NODE_LOOKS: Readonly<Record<ClusterNode["status"], Look>> = {
  Ready: { tone: "good", icon: IconCircleCheck },
  NotReady: { tone: "bad", icon: IconCircleX },
  Cordoned: { tone: "warn", icon: IconBan },
  Drained: { tone: "warn", icon: IconCircleMinus },
  Unknown: { tone: "idle", icon: IconHelpCircle },
};

export const WORKER_LOOKS: Readonly<Record<Worker["state"], Look>> = {
  Working: busy,
  Idle: { tone: "good", icon: IconCircleCheck },
  Draining: { tone: "warn", icon: IconHourglass },
  Lost: { tone: "bad", icon: IconPlugConnectedX },
};
