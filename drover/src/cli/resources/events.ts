import { eventRoutes } from "@drover/contract";
import type { CallAnswer } from "../client/api-client.ts";
import { describeAge } from "../render/age.ts";
import { now, type Resource } from "./resource.ts";

export type Event = CallAnswer<typeof eventRoutes.listEvents>["items"][number];

const MOST = 100;
const PAGE = 500;

export const events: Resource<Event> = {
  kind: "event",
  words: ["events", "event", "ev"],
  nameOf: ({ cursor }) => String(cursor),
  columns: [
    { title: "AGE", moves: true, value: ({ time }) => describeAge(time, now()) },
    { title: "CLUSTER", value: ({ cluster }) => cluster ?? "" },
    { title: "EVENT", value: ({ kind }) => kind },
    { title: "WHAT", value: ({ body }) => describeBody(body) },
    { title: "JOB", wide: true, value: ({ jobId }) => jobId ?? "" },
    { title: "CURSOR", wide: true, value: ({ cursor }) => String(cursor) },
  ],
  /** The newest ones, oldest first. */
  list: async (client, { names: [cluster], selector, limit = MOST }) => {
    let kept: readonly Event[] = [];
    let after: number | undefined;
    for (;;) {
      const query = { cluster, selector, after, limit: PAGE };
      const { items, cursor } = await client.call(eventRoutes.listEvents, { query });
      kept = [...kept, ...items].slice(-limit);
      if (items.length < PAGE || cursor === after) return kept;
      after = cursor;
    }
  },
};

/** The plain facts of an event, as `key=value`. */
export function describeBody(body: unknown): string {
  if (typeof body !== "object" || body === null) return "";
  return Object.entries(body)
    .filter(([, value]) => typeof value !== "object")
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(" ");
}
