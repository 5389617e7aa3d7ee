import { type Handlers, kubeconfigRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { createKubeconfig, revokeKubeconfig } from "../../app/kubeconfigs.ts";
import type { KubeconfigRecord } from "../../ports/store/index.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { toTime, toTimeOrNull } from "../present/time.ts";
import type { RequestContext } from "../request-context.ts";
import { readyCluster, visibleCluster } from "../visible-cluster.ts";

export function addKubeconfigRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const handlers: Handlers<typeof kubeconfigRoutes, RequestContext> = {
    createKubeconfig: async ({ params, body }, context) => {
      const cluster = await readyCluster(app, context, params.name);
      const { record, text } = await createKubeconfig(app, context.caller, cluster, body);
      return { id: record.id, kubeconfig: text, expiresTime: toTimeOrNull(record.expiresAt) };
    },
    listKubeconfigs: async ({ params }, context) => {
      const { id } = await visibleCluster(app, context, params.name);
      return { items: (await app.store.kubeconfigs.listKubeconfigs(id)).map(presentKubeconfig) };
    },
    revokeKubeconfig: async ({ params }, context) => {
      const cluster = await visibleCluster(app, context, params.name);
      await revokeKubeconfig(app, context.caller.actor, cluster, params.id);
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
