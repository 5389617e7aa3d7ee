import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { DroverError, type Handlers, metaRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { collectSupportBundle } from "../../app/support-bundle.ts";
import { makeTar } from "../../lib/tar.ts";
import { systemClock } from "../../ports/clock.ts";
import { API_PAGE_STYLE, renderApiPage } from "../api-page.ts";
import type { ApiParts } from "../api-parts.ts";
import type { Metrics } from "../metrics.ts";
import { mountRoutes } from "../mount-routes.ts";
import { readOpenApi } from "../open-api.ts";
import type { RequestContext } from "../request-context.ts";

/** What programs ask before anything else: is it alive, can it work, which version is it; and what helps the helpers. */
export function addMetaRoutes(server: FastifyInstance, parts: ApiParts, metrics: Metrics): void {
  const handlers: Handlers<typeof metaRoutes, RequestContext> = {
    health: () => ({ status: "alive" }),
    readiness: async (_request, { log }) => {
      const { ok, detail = "The store does not answer." } = await askReadiness(parts.ready);
      if (ok) return { status: "ready" };
      log.warn({ detail }, "not ready");
      throw new DroverError("store-unreachable", detail);
    },
    version: () => ({ name: "drover", version: parts.version }),
    openApi: (_request, { reply }) => {
      reply.header("cache-control", "no-cache").type("application/json; charset=utf-8").send(readOpenApi());
      return { openapi: "3.1.0" };
    },
    apiPage: (_request, { reply }) => {
      reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(renderApiPage(readOpenApi()));
    },
    apiPageStyle: (_request, { reply }) => {
      reply.header("cache-control", "no-cache").type("text/css; charset=utf-8").send(API_PAGE_STYLE);
    },
    metrics: async (_request, { reply }) => {
      const text = await metrics.render();
      reply.header("cache-control", "no-store").type("text/plain; version=0.0.4; charset=utf-8").send(text);
    },
    supportBundle: async (_request, { caller, reply }) => {
      const { version, options } = parts;
      const entries = await collectSupportBundle(parts.app, { version, options });
      const archive = await promisify(gzip)(makeTar(entries, systemClock.now()));
      const { actor } = caller;
      await parts.app.store.audit.recordAudit(actor, {
        action: "support-bundle.read",
        objectKind: "drover",
        objectName: "-",
      });
      reply
        .header("cache-control", "no-store")
        .header("content-disposition", 'attachment; filename="drover-support.tar.gz"')
        .type("application/gzip")
        .send(archive);
    },
  };
  mountRoutes(server, metaRoutes, handlers);
}

/** An answer that does not come is an answer as well. */
async function askReadiness(ready: ApiParts["ready"]): ReturnType<ApiParts["ready"]> {
  try {
    return await ready();
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
