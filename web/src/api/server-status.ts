/** Why the server could not be asked. */
export type Cause =
  | { readonly kind: "timeout" }
  | { readonly kind: "network" }
  | { readonly kind: "unreadable" }
  | { readonly kind: "status"; readonly status: number };

/** One answer about the server, or the reason why there is none. */
export type Answer =
  | { readonly ok: true; readonly version: string; readonly ready: boolean; readonly detail: string | undefined }
  | { readonly ok: false; readonly cause: Cause };

/** What the page knows about the server. What was seen once stays, and gains an age. */
export interface ServerStatus {
  readonly state: "loading" | "ready" | "not-ready" | "unreachable";
  readonly version: string | undefined;
  readonly detail: string | undefined;
  readonly cause: Cause | undefined;
  /** When the server last answered, in milliseconds. */
  readonly seenAt: number | undefined;
  /** How many times in a row it did not. */
  readonly failures: number;
}

export const UNKNOWN_STATUS: ServerStatus = {
  state: "loading",
  version: undefined,
  detail: undefined,
  cause: undefined,
  seenAt: undefined,
  failures: 0,
};

export function takeAnswer(status: ServerStatus, answer: Answer, now: number): ServerStatus {
  if (!answer.ok) return { ...status, state: "unreachable", cause: answer.cause, failures: status.failures + 1 };
  const { version, ready, detail } = answer;
  return { state: ready ? "ready" : "not-ready", version, detail, cause: undefined, seenAt: now, failures: 0 };
}

const CALM_MS = 10_000;
const SOON_MS = 1_000;
const LATE_MS = 30_000;

/** When to ask again: calmly while all is well, soon after a failure, ever later while it lasts; `random` from 0 to 1. */
export function nextDelay({ failures }: ServerStatus, random: number): number {
  if (failures === 0) return CALM_MS;
  const most = Math.min(SOON_MS * 2 ** failures, LATE_MS);
  return most * (0.5 + random / 2);
}
