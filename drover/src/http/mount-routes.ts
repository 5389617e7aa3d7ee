import type { Handlers, RouteTable } from "@drover/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** What a handler may need of the request beyond its own input. */
export interface RequestContext {
  readonly log: FastifyRequest["log"];
}

/**
 * Mounts a part of the contract's route table. A route without a handler, or a handler that answers something else than
 * the contract says, does not compile.
 */
export function mountRoutes<T extends RouteTable>(
  app: FastifyInstance,
  routes: T,
  handlers: Handlers<T, RequestContext>,
): void {
  for (const [name, { method, path, success }] of Object.entries(routes)) {
    const handle = handlers[name as keyof T];
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const input = { params: request.params, query: request.query, body: request.body } as Parameters<
          typeof handle
        >[0];
        const answer = await handle(input, { log: request.log });
        return reply.code(success).header("cache-control", "no-store").send(answer);
      },
    });
  }
}
