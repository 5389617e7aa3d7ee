import { type Handlers, settingRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { changeSetting, listSettings } from "../../app/settings.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import type { RequestContext } from "../request-context.ts";

export function addSettingRoutes(server: FastifyInstance, { app, options }: ApiParts): void {
  const handlers: Handlers<typeof settingRoutes, RequestContext> = {
    listOptions: () => ({ items: [...options] }),
    listSettings: async () => ({ items: [...(await listSettings(app))] }),
    putSetting: async ({ params, body }, context) => {
      const { key } = params;
      const { value } = body;
      const setting = await changeSetting(app, context.caller.actor, {
        ...{ key, value },
        expectedVersion: context.expectedVersion,
      });
      context.version = setting.version;
      return setting;
    },
  };
  mountRoutes(server, settingRoutes, handlers);
}
