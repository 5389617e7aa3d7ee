import { type Handlers, importRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { isInScope } from "../../app/caller.ts";
import { checkConsistency, getConsistency, repairConsistency } from "../../app/consistency.ts";
import { ENVIRONMENTS_HEADER } from "../../app/imports/environment-row.ts";
import { exportEnvironments, importEnvironments } from "../../app/imports/import-environments.ts";
import { type ImportResult, importKubeconfig } from "../../app/imports/import-kubeconfig.ts";
import type { Inconsistency } from "../../app/inconsistency.ts";
import { assertReason } from "../../app/settings.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { toTimeOrNull } from "../present/time.ts";
import type { RequestContext } from "../request-context.ts";
import type { ReadOrRecall } from "../snapshot/read-or-recall.ts";
import { reasonOf } from "./clusters.ts";

export function addImportRoutes(server: FastifyInstance, { app }: ApiParts, readOrRecall: ReadOrRecall): void {
  const requestOf = (context: RequestContext, input: { readonly reason?: string | undefined }) => ({
    ...{ actor: context.caller.actor },
    ...reasonOf(input),
    ...context.idempotency,
  });
  const handlers: Handlers<typeof importRoutes, RequestContext> = {
    importKubeconfig: async ({ body }, context) => {
      const { kubeconfig, contexts, allow = {}, dryRun = false } = body;
      if (!dryRun) await assertReason(app, body.reason);
      const order = { kubeconfig, contexts, allow, dryRun };
      return presentResults(await importKubeconfig(app, context.caller, order, requestOf(context, body)));
    },
    importEnvironments: async ({ query, body: { csv } }, context) => {
      const { dryRun = false } = query;
      if (!dryRun) await assertReason(app, query.reason);
      return presentResults(await importEnvironments(app, context.caller, { csv, dryRun }, requestOf(context, query)));
    },
    exportEnvironments: async (_input, context) => {
      const { caller, reply } = context;
      const text = await readOrRecall(
        context,
        () => exportEnvironments(app, caller),
        ({ entries }) => {
          const seen = entries.filter(({ labels }) => isInScope(caller.scopes, labels));
          return [ENVIRONMENTS_HEADER, ...seen.map(({ line }) => line)].join("");
        },
      );
      reply.header("cache-control", "no-store").type("text/csv; charset=utf-8").send(text);
    },
    getConsistency: async (_input, { caller }) => {
      const { checkedAt, items } = await getConsistency(app, caller);
      return { checkedTime: toTimeOrNull(checkedAt), items: items.map(presentInconsistency) };
    },
    checkConsistency: async (_input, { caller }) => ({ started: await checkConsistency(app, caller) }),
    repairConsistency: async ({ body }, context) => ({
      jobIds: [...(await repairConsistency(app, context.caller, body.ids, requestOf(context, body)))],
    }),
  };
  mountRoutes(server, importRoutes, handlers);
}

const presentResults = (results: readonly ImportResult[]) => ({
  items: results.map(({ cluster, line, jobId, problems }) => ({ cluster, line, jobId, problems: [...problems] })),
});

const presentInconsistency = ({ repair, ...one }: Inconsistency) => ({
  ...one,
  repair: repair === null ? null : { ...repair },
});
