import { type Handlers, type RouteAnswer, templateRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { assertReason } from "../../app/settings.ts";
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  getTemplate,
  instantiateTemplate,
  listTemplates,
  type Template,
} from "../../app/templates.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { presentAccepted } from "../present/accepted.ts";
import { toTime } from "../present/time.ts";
import type { RequestContext } from "../request-context.ts";
import { reasonOf } from "./clusters.ts";

export function addTemplateRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const present = (template: Template, context: RequestContext) => {
    context.version = template.version;
    return presentTemplate(template);
  };
  const handlers: Handlers<typeof templateRoutes, RequestContext> = {
    listTemplates: async () => ({ items: (await listTemplates(app)).map(presentTemplate) }),
    getTemplate: async ({ params }, context) => present(await getTemplate(app, params.name), context),
    createTemplate: async ({ body: { name, ...content } }, context) =>
      present(await createTemplate(app, context.caller, name, content, context.idempotency), context),
    changeTemplate: async ({ params, body }, context) =>
      present(await changeTemplate(app, context.caller, params.name, body, context.expectedVersion), context),
    deleteTemplate: async ({ params }, { caller }) => {
      await deleteTemplate(app, caller, params.name);
    },
    instantiateTemplate: async ({ params, body }, context) => {
      await assertReason(app, body.reason);
      const template = await getTemplate(app, params.name);
      const { cluster, parameters } = body;
      const request = { cluster, parameters, actor: context.caller.actor, ...reasonOf(body), ...context.idempotency };
      return presentAccepted(await instantiateTemplate(app, context.caller, template, request));
    },
  };
  mountRoutes(server, templateRoutes, handlers);
}

const presentTemplate = ({ updatedAt, ...template }: Template): RouteAnswer<typeof templateRoutes.getTemplate> => ({
  ...template,
  updatedTime: toTime(updatedAt),
});
