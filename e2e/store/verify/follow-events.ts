import { setTimeout as sleep } from "node:timers/promises";
import type { EventRecord, Store } from "../../../drover/src/ports/store/index.ts";
import { eventKey } from "./keys.ts";
import { readAllEvents } from "./world.ts";

/** A reader that goes on after the last event it saw, while others write and die. */
export interface Follower {
  /** Reads to the end and answers what it missed, in comparison with a reader that begins now. */
  finish(): Promise<{ readonly seen: number; readonly complaints: readonly string[] }>;
}

const PAGE = 200;
const PAUSE_MS = 10;

export function followEvents(store: Store): Follower {
  const seen: EventRecord[] = [];
  let after = 0;
  let stopped = false;
  let failure: unknown;
  const readOn = async () => {
    const { events, cursor } = await store.read.readEvents({ after, limit: PAGE });
    seen.push(...events);
    const moved = cursor !== after;
    after = cursor;
    return moved;
  };
  const following = (async () => {
    while (!stopped) if (!(await readOn())) await sleep(PAUSE_MS);
  })().catch((error: unknown) => {
    failure = error;
  });
  return {
    finish: async () => {
      stopped = true;
      await following;
      if (failure !== undefined) throw failure;
      while (await readOn());
      const all = await readAllEvents(store);
      const known = new Set(seen.map(({ cursor }) => cursor));
      const missed = all.filter(({ cursor }) => !known.has(cursor));
      const unordered = seen.filter(({ cursor }, index) => index > 0 && cursor <= (seen[index - 1]?.cursor ?? 0));
      return {
        seen: seen.length,
        complaints: [
          ...missed.map((event) => `the follower missed event ${event.cursor}: ${eventKey(event)}`),
          ...unordered.map((event) => `the follower saw event ${event.cursor} after a later one`),
          ...(seen.length === all.length ? [] : [`the follower saw ${seen.length} of ${all.length} events`]),
        ],
      };
    },
  };
}
