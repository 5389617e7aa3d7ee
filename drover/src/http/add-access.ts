import type { FastifyInstance } from "fastify";
import { AccessWatch } from "./access-watch.ts";
import type { ApiParts } from "./api-parts.ts";
import { authenticate } from "./authenticate.ts";
import { UseNotes } from "./note-use.ts";
import { limitRate } from "./rate-limit.ts";
import { RememberedCallers } from "./snapshot/remembered-callers.ts";

/** What every route needs to know of who asks. */
export function addAccess(app: FastifyInstance, { app: { store }, access }: ApiParts): void {
  const { clock, publicUrl, rateLimits } = access;
  const notes = new UseNotes(clock, (error) => app.log.warn({ err: error }, "could not note the use of a credential"));
  const watch = new AccessWatch(store.access, (error) =>
    app.log.warn({ err: error }, "could not check who may still follow"),
  );
  const remembered = new RememberedCallers(clock);
  const parts = {
    access: { ...access, store },
    publicUrl,
    notes,
    remembered,
    changeStamp: () => store.read.changeStamp(),
  };
  app.decorateRequest("caller", null);
  app.decorateRequest("storeStamp", null);
  app.decorateRequest("storeFailure", null);
  app.decorate("authenticate", (request, options) => authenticate(parts, request, options));
  app.decorate("limitRate", limitRate(rateLimits, clock));
  app.decorate("watchAccess", watch.watch);
  app.addHook("onClose", async () => {
    watch.close();
    await notes.settle();
  });
}
