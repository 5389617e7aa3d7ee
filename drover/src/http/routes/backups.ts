import { backupRoutes, type Handlers } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import type { Request } from "../../app/app.ts";
import { assertConfirmed, getBackup, useBackup } from "../../app/look-after-cluster.ts";
import { readCertificates } from "../../domain/certificates.ts";
import { upkeepOf } from "../../pipelines/look-after-cluster.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { presentAcceptedJob } from "../present/accepted.ts";
import { presentBackup } from "../present/backup.ts";
import { toTimeOrNull } from "../present/time.ts";
import type { RequestContext } from "../request-context.ts";
import { visibleCluster } from "../visible-cluster.ts";
import { reasonOf } from "./clusters.ts";

export function addBackupRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const whoOf = (body: { readonly reason?: string | undefined }, context: RequestContext): Request => ({
    actor: context.caller.actor,
    ...reasonOf(body),
    ...context.idempotency,
  });
  const handlers: Handlers<typeof backupRoutes, RequestContext> = {
    listBackups: async ({ params }, context) => {
      const { id } = await visibleCluster(app, context, params.name);
      return { items: (await app.store.backups.listBackups(id)).map(presentBackup) };
    },
    getBackup: async ({ params }, context) => {
      const cluster = await visibleCluster(app, context, params.name);
      return presentBackup(await getBackup(app, cluster, params.id));
    },
    restoreBackup: async ({ params, body }, context) => {
      const { name } = await visibleCluster(app, context, params.name);
      assertConfirmed(name, body.confirm);
      const use = { name, action: "restore", backup: params.id } as const;
      return presentAcceptedJob(await useBackup(app, { ...whoOf(body, context), ...use }));
    },
    drillBackup: async ({ params, body }, context) => {
      const { name } = await visibleCluster(app, context, params.name);
      const use = { name, action: "drill", backup: params.id } as const;
      return presentAcceptedJob(await useBackup(app, { ...whoOf(body, context), ...use }));
    },
    listCertificates: async ({ params }, context) => {
      const cluster = await visibleCluster(app, context, params.name);
      upkeepOf(app.providers.get(cluster.provider), cluster);
      const seen = (await app.store.read.briefClusters([cluster.id])).get(cluster.id)?.seen ?? null;
      return { items: [...readCertificates(seen?.body)], seenTime: toTimeOrNull(seen?.at ?? null) };
    },
  };
  mountRoutes(server, backupRoutes, handlers);
}
