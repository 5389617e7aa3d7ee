import { type Handlers, userRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import type { AccessApp } from "../../app/access/access-app.ts";
import { changeUser, createUser } from "../../app/access/users.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { presentUser } from "../present/access.ts";
import type { RequestContext } from "../request-context.ts";

/** Accounts, for administrators. */
export function addUserRoutes(app: FastifyInstance, parts: ApiParts): void {
  const access: AccessApp = { ...parts.access, store: parts.app.store };
  const handlers: Handlers<typeof userRoutes, RequestContext> = {
    listUsers: async () => ({ items: (await access.store.access.listUsers()).map(presentUser) }),
    createUser: async ({ body }, { caller }) => presentUser(await createUser(access, caller, body)),
    changeUser: async ({ params, body }, { caller }) => presentUser(await changeUser(access, caller, params.id, body)),
  };
  mountRoutes(app, userRoutes, handlers);
}
