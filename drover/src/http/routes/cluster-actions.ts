import { clusterActionRoutes, type Handlers } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import type { Request } from "../../app/app.ts";
import { adoptCluster, rollback, setPaused, setProtected } from "../../app/change-cluster.ts";
import { requestRotation, requestUpkeep } from "../../app/look-after-cluster.ts";
import { cancelCluster, extendLife, requestHibernation, requestWork, retryCluster } from "../../app/request-work.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { presentAccepted, presentAcceptedJob } from "../present/accepted.ts";
import type { RequestContext } from "../request-context.ts";
import { visibleCluster } from "../visible-cluster.ts";
import { reasonOf } from "./clusters.ts";

interface ActionInput {
  readonly params: { readonly name: string };
  readonly body: { readonly reason?: string | undefined };
}

type NamedRequest = Request & { readonly name: string };

export function addClusterActionRoutes(server: FastifyInstance, { app }: ApiParts): void {
  /** Who asks what of which cluster, after it is known that they may. */
  const requestOf = async ({ params, body }: ActionInput, context: RequestContext): Promise<NamedRequest> => {
    await visibleCluster(app, context, params.name);
    return { name: params.name, actor: context.caller.actor, ...reasonOf(body), ...context.idempotency };
  };
  const handlers: Handlers<typeof clusterActionRoutes, RequestContext> = {
    cancel: async (input, context) => {
      const { undo } = input.body;
      const request = await requestOf(input, context);
      return presentAcceptedJob(await cancelCluster(app, { ...request, ...(undo === undefined ? {} : { undo }) }));
    },
    retry: async (input, context) => presentAcceptedJob(await retryCluster(app, await requestOf(input, context))),
    reconcile: async (input, context) =>
      presentAcceptedJob(await requestWork(app, { ...(await requestOf(input, context)), kind: "repair" })),
    backup: async (input, context) =>
      presentAcceptedJob(await requestUpkeep(app, { ...(await requestOf(input, context)), kind: "backup" })),
    renewCertificates: async (input, context) =>
      presentAcceptedJob(await requestUpkeep(app, { ...(await requestOf(input, context)), kind: "renew" })),
    rotateEncryptionKey: async (input, context) =>
      presentAcceptedJob(await requestRotation(app, { ...(await requestOf(input, context)), what: "encryption-key" })),
    rotateTokens: async (input, context) =>
      presentAcceptedJob(await requestRotation(app, { ...(await requestOf(input, context)), what: "tokens" })),
    pause: async (input, context) =>
      presentAccepted(await setPaused(app, { ...(await requestOf(input, context)), paused: true })),
    resume: async (input, context) =>
      presentAccepted(await setPaused(app, { ...(await requestOf(input, context)), paused: false })),
    protect: async (input, context) =>
      presentAccepted(await setProtected(app, { ...(await requestOf(input, context)), protected: true })),
    unprotect: async (input, context) =>
      presentAccepted(await setProtected(app, { ...(await requestOf(input, context)), protected: false })),
    adopt: async (input, context) => presentAccepted(await adoptCluster(app, await requestOf(input, context))),
    hibernate: async (input, context) =>
      presentAcceptedJob(await requestHibernation(app, { ...(await requestOf(input, context)), hibernated: true })),
    wake: async (input, context) =>
      presentAcceptedJob(await requestHibernation(app, { ...(await requestOf(input, context)), hibernated: false })),
    rollback: async (input, context) => {
      const { generation, reason, consent } = input.body;
      const request = await requestOf(input, context);
      return presentAccepted(await rollback(app, { ...request, generation, reason, consent: consent === true }));
    },
    extend: async (input, context) =>
      presentAccepted(await extendLife(app, { ...(await requestOf(input, context)), by: input.body.by })),
  };
  mountRoutes(server, clusterActionRoutes, handlers);
}
