import { type Handlers, logRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { isInScope } from "../../app/caller.ts";
import type { JobRecord } from "../../ports/store/index.ts";
import type { ApiParts } from "../api-parts.ts";
import { readLastEventId } from "../live/last-event-id.ts";
import { type LogItem, makeLogView, presentLine } from "../live/log-source.ts";
import { readLogLines } from "../live/read-log-lines.ts";
import { openSocketSink } from "../live/socket-sink.ts";
import { openSseSink } from "../live/sse-sink.ts";
import type { Streams } from "../live/streams.ts";
import { Viewer } from "../live/viewer.ts";
import { socketWire, sseWire } from "../live/wire.ts";
import { mountRoutes } from "../mount-routes.ts";
import type { RequestContext } from "../request-context.ts";
import { visibleJob } from "../visible-cluster.ts";

/** What jobs say while they run, and what they said. */
export function addLogRoutes(server: FastifyInstance, { app }: ApiParts, { live, guard }: Streams): void {
  const { read } = app.store;
  const follow = (job: JobRecord, viewer: Viewer<LogItem>, { caller }: RequestContext) => {
    const { scopes } = caller;
    guard(caller, viewer);
    live.followLog(
      job,
      viewer,
      (cluster) => scopes.length === 0 || (cluster !== null && isInScope(scopes, cluster.labels)),
    );
  };
  const handlers: Handlers<typeof logRoutes, RequestContext> = {
    readLog: async ({ params, query }, context) => {
      const { id } = await visibleJob(app, context, params.id);
      return await readLogLines(read, id, query);
    },
    searchLog: async ({ params, query }, context) => {
      const { id: jobId } = await visibleJob(app, context, params.id);
      const { total, lines } = await read.searchLog({ jobId, ...query });
      return { total, lines: lines.map(presentLine) };
    },
    streamLog: async ({ params, query }, context) => {
      const { from, ...filter } = query;
      const place = readLastEventId(context.request) ?? from - 1;
      const job = await visibleJob(app, context, params.id);
      const view = makeLogView("sse", filter);
      follow(job, new Viewer({ view, wire: sseWire, sink: openSseSink(context.reply), place }), context);
      return undefined;
    },
    openLogSocket: async ({ params, query }, context) => {
      const { from, ...filter } = query;
      const job = await visibleJob(app, context, params.id);
      const view = makeLogView("socket", filter);
      context.onSocket((socket) => {
        const sink = openSocketSink(socket, context.request.raw.socket);
        follow(job, new Viewer({ view, wire: socketWire, sink, place: from - 1 }), context);
      });
      return undefined;
    },
  };
  mountRoutes(server, logRoutes, handlers);
}
