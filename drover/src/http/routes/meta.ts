import { DroverError, type Handlers, metaRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { mountRoutes } from "../mount-routes.ts";
import type { RequestContext } from "../request-context.ts";

export interface Readiness {
  readonly ok: boolean;
  readonly detail?: string;
}

export interface MetaParts {
  readonly version: string;
  readonly ready: () => Promise<Readiness>;
}

const { health, readiness, version } = metaRoutes;
const served = { health, readiness, version };

/** What programs ask before anything else: is it alive, can it work, which version is it. */
export function addMetaRoutes(app: FastifyInstance, parts: MetaParts): void {
  const handlers: Handlers<typeof served, RequestContext> = {
    health: () => ({ status: "alive" }),
    readiness: async (_request, { log }) => {
      const { ok, detail = "The store does not answer." } = await askReadiness(parts.ready);
      if (ok) return { status: "ready" };
      log.warn({ detail }, "not ready");
      throw new DroverError("store-unreachable", detail);
    },
    version: () => ({ name: "drover", version: parts.version }),
  };
  mountRoutes(app, served, handlers);
}

/** An answer that does not come is an answer as well. */
async function askReadiness(ready: () => Promise<Readiness>): Promise<Readiness> {
  try {
    return await ready();
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
