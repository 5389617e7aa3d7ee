import type { Answer } from "../client.ts";

export type LiveEvent = Answer<"events", "listEvents">["items"][number];

/** How the stream is doing. `signed-out` waits until somebody has signed in. */
export type LiveState = "connecting" | "live" | "waiting" | "signed-out";

/** What the one who holds the stream tells all pages of the browser. */
export type FromStream =
  | { readonly type: "state"; readonly state: LiveState; readonly heardAt: number | null; readonly failures: number }
  | { readonly type: "events"; readonly events: readonly LiveEvent[] }
  /** What happened in between is not kept any more: everything has to be read anew. */
  | { readonly type: "reset" };

/** What a page tells the one who holds the stream. */
export type ToStream =
  | { readonly type: "hello" }
  /** Try now: somebody has signed in, or the network is back. */
  | { readonly type: "connect" }
  /** The page goes away. */
  | { readonly type: "bye" };
