import { groupRoutes, type Handlers } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { changeGroup, createGroup, deleteGroup, type Group, listGroups } from "../../app/groups.ts";
import { deleteView, listViews, saveView } from "../../app/views.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import type { RequestContext } from "../request-context.ts";

export function addGroupRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const handlers: Handlers<typeof groupRoutes, RequestContext> = {
    listGroups: async () => ({ items: [...(await listGroups(app))] }),
    createGroup: async ({ body }, context) =>
      await createGroup(app, context.caller, toGroup(body.name, body), context.idempotency),
    changeGroup: async ({ params, body }, { caller }) => await changeGroup(app, caller, toGroup(params.name, body)),
    deleteGroup: async ({ params }, { caller }) => {
      await deleteGroup(app, caller, params.name);
    },
    listViews: async (_input, { caller }) => ({ items: [...(await listViews(app, caller))] }),
    saveView: async ({ body }, context) => await saveView(app, context.caller, body, context.idempotency),
    deleteView: async ({ params }, { caller }) => {
      await deleteView(app, caller, params.id);
    },
  };
  mountRoutes(server, groupRoutes, handlers);
}

const toGroup = (
  name: string,
  { selector, description }: { readonly selector: string; readonly description?: string | undefined },
): Group => ({ name, selector, ...(description === undefined ? {} : { description }) });
