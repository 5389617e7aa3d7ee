import { type Handlers, kubeconfigRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { createKubeconfig, forgetText } from "../../app/kubeconfigs/create-kubeconfig.ts";
import { revokeKubeconfig } from "../../app/kubeconfigs/revoke-kubeconfig.ts";
import type { KubeconfigRecord } from "../../ports/store/index.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { toTime, toTimeOrNull } from "../present/time.ts";
import type { RequestContext } from "../request-context.ts";
import { readyCluster, visibleCluster } from "../visible-cluster.ts";

export function addKubeconfigRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const closing = new AbortController();
  server.addHook("preClose", async () => closing.abort());
  /** Fires when nobody waits for the answer any more, or the server is to stop. */
  const waiting = ({ reply }: RequestContext): AbortSignal => {
    const left = new AbortController();
    reply.raw.once("close", () => left.abort());
    return AbortSignal.any([closing.signal, left.signal]);
  };
  const handlers: Handlers<typeof kubeconfigRoutes, RequestContext> = {
    createKubeconfig: async ({ params, body }, context) => {
      const { caller, idempotency, reply, log } = context;
      const cluster = await readyCluster(app, context, params.name);
      const wish = { ...body, ...idempotency, signal: waiting(context) };
      const { record, text } = await createKubeconfig(app, caller, cluster, wish);
      // Not before it was sent: who never got an answer asks again.
      reply.raw.once("finish", () => {
        forgetText(app, caller.actor, record).catch((error: unknown) => {
          log.error({ err: error }, "The text of a kubeconfig could not be removed");
        });
      });
      return { id: record.id, kubeconfig: text, expiresTime: toTimeOrNull(record.expiresAt) };
    },
    listKubeconfigs: async ({ params }, context) => {
      const { id } = await visibleCluster(app, context, params.name);
      return { items: (await app.store.kubeconfigs.listKubeconfigs(id)).map(presentKubeconfig) };
    },
    revokeKubeconfig: async ({ params }, context) => {
      const cluster = await visibleCluster(app, context, params.name);
      await revokeKubeconfig(app, context.caller.actor, cluster, { id: params.id, signal: waiting(context) });
    },
  };
  mountRoutes(server, kubeconfigRoutes, handlers);
}

const presentKubeconfig = ({ id, role, createdBy, createdAt, expiresAt, revokedAt }: KubeconfigRecord) => ({
  ...{ id, role, createdBy },
  createdTime: toTime(createdAt),
  expiresTime: toTimeOrNull(expiresAt),
  revokedTime: toTimeOrNull(revokedAt),
});
