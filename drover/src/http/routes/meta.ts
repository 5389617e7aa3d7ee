import type { FastifyInstance } from "fastify";

export interface Readiness {
  readonly ok: boolean;
  readonly detail?: string;
}

export interface MetaParts {
  readonly version: string;
  readonly ready: () => Promise<Readiness>;
}

/** What programs ask before anything else: is it alive, can it work, which version is it. */
export function addMetaRoutes(app: FastifyInstance, { version, ready }: MetaParts): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store");
  });
  app.get("/healthz", () => ({ status: "alive" }));
  app.get("/readyz", async (request, reply) => {
    const { ok, detail } = await askReadiness(ready);
    if (ok) return { status: "ready" };
    request.log.warn({ detail }, "not ready");
    return reply.code(503).send({ status: "not ready", ...(detail ? { detail } : {}) });
  });
  app.get("/api/v1/version", () => ({ name: "drover", version }));
}

/** An answer that does not come is an answer as well. */
async function askReadiness(ready: () => Promise<Readiness>): Promise<Readiness> {
  try {
    return await ready();
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
