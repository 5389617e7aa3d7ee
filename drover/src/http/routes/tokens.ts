import { type Handlers, tokenRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import type { AccessApp } from "../../app/access/access-app.ts";
import { createToken, listTokens, revokeToken } from "../../app/access/tokens.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { presentToken } from "../present/access.ts";
import type { RequestContext } from "../request-context.ts";

/** What programs show to be let in. */
export function addTokenRoutes(app: FastifyInstance, parts: ApiParts): void {
  const access: AccessApp = { ...parts.access, store: parts.app.store };
  const handlers: Handlers<typeof tokenRoutes, RequestContext> = {
    listTokens: async (_request, { caller }) => ({ items: (await listTokens(access, caller)).map(presentToken) }),
    createToken: async ({ body }, { caller }) => {
      const { token, secret } = await createToken(access, caller, body);
      return { token: presentToken(token), secret };
    },
    revokeToken: async ({ params }, { caller }) => {
      await revokeToken(access, caller, params.id);
    },
  };
  mountRoutes(app, tokenRoutes, handlers);
}
