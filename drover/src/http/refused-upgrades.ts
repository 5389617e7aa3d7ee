import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * A connection that asked to become a socket no longer belongs to Node's HTTP server. When the answer is another one, it
 * would stay open, also when its client is gone, and the end of the server would wait for it.
 */
export function addEndOfRefusedUpgrades(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => endRefusedUpgrade(request, reply));
}

export function endRefusedUpgrade({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.headers.upgrade === undefined) return;
  reply.raw.once("finish", () => raw.socket.destroySoon());
}
