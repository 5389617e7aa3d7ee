import type { FastifyInstance } from "fastify";
import type { App } from "../../app/app.ts";
import type { Caller } from "../../app/caller.ts";
import type { Placed } from "./frame.ts";
import { Live } from "./live.ts";
import type { Viewer } from "./viewer.ts";

/** What the routes of streams share. */
export interface Streams {
  readonly live: Live;
  /** Ends the stream as soon as its viewer may no longer see it. */
  guard<T extends Placed>(caller: Caller, viewer: Viewer<T>): void;
}

/** Streams end before the server does: it would wait for them. */
export function openStreams(server: FastifyInstance, { store }: App): Streams {
  const live = new Live(store, (error) => server.log.warn({ err: error }, "streams have to wait for the store"));
  server.addHook("preClose", async () => live.close());
  return {
    live,
    guard: (caller, viewer) => viewer.onceClosed(server.watchAccess(caller, () => viewer.cut("revoked"))),
  };
}
