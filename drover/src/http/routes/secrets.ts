import { type Handlers, secretRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { createSecret, deleteSecret, listSecrets, type NamedSecret, replaceSecret } from "../../app/secrets.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { toTime } from "../present/time.ts";
import type { RequestContext } from "../request-context.ts";

export function addSecretRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const handlers: Handlers<typeof secretRoutes, RequestContext> = {
    listSecrets: async (_input, { caller }) => ({ items: (await listSecrets(app, caller)).map(presentSecret) }),
    createSecret: async ({ body }, { caller }) =>
      presentSecret(await createSecret(app, caller, body.name, contentOf(body))),
    replaceSecret: async ({ params, body }, { caller }) =>
      presentSecret(await replaceSecret(app, caller, params.name, contentOf(body))),
    deleteSecret: async ({ params }, { caller }) => {
      await deleteSecret(app, caller, params.name);
    },
  };
  mountRoutes(server, secretRoutes, handlers);
}

const contentOf = (body: {
  readonly description?: string | undefined;
  readonly entries: Readonly<Record<string, string>>;
}) => ({
  entries: body.entries,
  ...(body.description === undefined ? {} : { description: body.description }),
});

const presentSecret = ({ name, description, keys, usedBy, updatedBy, updatedAt }: NamedSecret) => ({
  ...{ name, description, updatedBy },
  keys: [...keys],
  usedBy: [...usedBy],
  updatedTime: toTime(updatedAt),
});
