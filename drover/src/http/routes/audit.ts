import { auditRoutes, type Handlers } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { toTime } from "../present/time.ts";
import type { RequestContext } from "../request-context.ts";

export function addAuditRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const handlers: Handlers<typeof auditRoutes, RequestContext> = {
    listAudit: async ({ query }) => {
      const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
      const entries = await app.store.read.listAudit({ ...given, limit: query.limit });
      return {
        items: entries.map(({ seq, at, actor, action, objectKind, objectName, body, hash }) => ({
          ...{ seq, actor, action, objectKind, objectName, body, hash },
          time: toTime(at),
        })),
      };
    },
    verifyAudit: async () => {
      const { ok, checked, broken } = await app.store.audit.verifyAudit();
      return { entries: checked, intact: ok, firstBroken: broken?.seq ?? null };
    },
  };
  mountRoutes(server, auditRoutes, handlers);
}
