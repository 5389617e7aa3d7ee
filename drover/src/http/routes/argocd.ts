import { timingSafeEqual } from "node:crypto";
import { argocdRoutes, DroverError, type Handlers } from "@drover/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { listArgocdParameters } from "../../app/argocd-parameters.ts";
import { makePluginToken, readPluginTokenHash } from "../../app/argocd-token.ts";
import { sha256 } from "../../lib/sha256.ts";
import type { ApiParts } from "../api-parts.ts";
import { readBearer } from "../authenticate.ts";
import { mountRoutes } from "../mount-routes.ts";
import type { RequestContext } from "../request-context.ts";

export function addArgocdRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const handlers: Handlers<typeof argocdRoutes, RequestContext> = {
    getParameters: async ({ body }, { request }) => {
      assertPlugin(await readPluginTokenHash(app), request);
      return { output: { parameters: await listArgocdParameters(app, body.input?.parameters ?? {}) } };
    },
    createPluginToken: async (_input, { caller }) => ({ secret: await makePluginToken(app, caller.actor) }),
  };
  mountRoutes(server, argocdRoutes, handlers);
}

/** Argo CD takes 403, not 401, for a wrong token. */
function assertPlugin(hash: string | null, request: FastifyRequest): void {
  const given = sha256(readBearer(request) ?? "");
  if (hash !== null && timingSafeEqual(Buffer.from(hash), Buffer.from(given))) return;
  throw new DroverError("forbidden", "The token of the Argo CD plugin is missing or wrong.");
}
