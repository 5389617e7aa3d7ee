import { eventRoutes, type Handlers } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import type { ApiParts } from "../api-parts.ts";
import { type EventFilter, makeEventView } from "../live/event-source.ts";
import { readLastEventId } from "../live/last-event-id.ts";
import { listEvents } from "../live/list-events.ts";
import { openSseSink } from "../live/sse-sink.ts";
import type { Streams } from "../live/streams.ts";
import { Viewer } from "../live/viewer.ts";
import { sseWire } from "../live/wire.ts";
import { mountRoutes } from "../mount-routes.ts";
import type { RequestContext } from "../request-context.ts";
import { readSelector } from "./clusters.ts";

interface Narrow {
  readonly cluster?: string | undefined;
  readonly selector?: string | undefined;
}

/** What happened, and what happens. */
export function addEventRoutes(server: FastifyInstance, { app }: ApiParts, { live, guard }: Streams): void {
  const handlers: Handlers<typeof eventRoutes, RequestContext> = {
    listEvents: async ({ query }, context) => {
      const { after, limit } = query;
      return await listEvents(app.store.read, toFilter(query, context), { after, limit });
    },
    streamEvents: ({ query }, context) => {
      const view = makeEventView(toFilter(query, context));
      const place = readLastEventId(context.request) ?? query.after ?? null;
      const viewer = new Viewer({ view, wire: sseWire, sink: openSseSink(context.reply), place });
      guard(context.caller, viewer);
      live.watchEvents(viewer);
      return undefined;
    },
  };
  mountRoutes(server, eventRoutes, handlers);
}

function toFilter({ cluster, selector }: Narrow, { caller }: RequestContext): EventFilter {
  const { scopes } = caller;
  return { scopes, cluster, selector: selector === undefined ? undefined : readSelector(selector) };
}
