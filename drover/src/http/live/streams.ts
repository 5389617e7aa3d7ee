import type { FastifyInstance } from "fastify";
import type { App } from "../../app/app.ts";
import type { Caller } from "../../app/caller.ts";
import { AccessWatch } from "../access-watch.ts";
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
  const onError = (error: unknown) => server.log.warn({ err: error }, "a stream has to wait for the store");
  const live = new Live(store, onError);
  const access = new AccessWatch(store.access, onError);
  server.addHook("preClose", async () => {
    access.close();
    live.close();
  });
  return {
    live,
    guard: (caller, viewer) => viewer.onceClosed(access.watch(caller, () => viewer.cut("revoked"))),
  };
}
