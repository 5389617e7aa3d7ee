import { batchRoutes, DroverError, type Handlers, type RouteAnswer } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { createBatch } from "../../app/batches/create-batch.ts";
import type { BatchItemRecord, BatchRecord } from "../../ports/store/index.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { toTime, toTimeOrNull } from "../present/time.ts";
import type { RequestContext } from "../request-context.ts";

type Batch = RouteAnswer<typeof batchRoutes.getBatch>;
type Result = RouteAnswer<typeof batchRoutes.listResults>["items"][number];

export function addBatchRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const { batches } = app.store;
  const visibleBatch = async (id: string, { caller: { scopes } }: RequestContext): Promise<BatchRecord> => {
    const batch = await batches.getBatch(id, { scopes });
    if (batch === null) throw new DroverError("batch-not-found", `There is no batch ${id}.`);
    return batch;
  };
  const steer =
    (to: "Running" | "Paused" | "Canceled") =>
    async ({ params }: { params: { id: string } }, context: RequestContext): Promise<Batch> => {
      const before = await visibleBatch(params.id, context);
      return presentBatch((await batches.steerBatch(context.caller.actor, params.id, to)) ?? before);
    };
  const handlers: Handlers<typeof batchRoutes, RequestContext> = {
    createBatch: async ({ body }, context) =>
      presentBatch(await createBatch(app, context.caller, body, context.idempotency)),
    listBatches: async ({ query: { limit, after } }, { caller: { scopes } }) => {
      const page = await batches.listBatches({ scopes, limit, ...(after === undefined ? {} : { after }) });
      return { items: page.items.map(presentBatch), next: page.next };
    },
    getBatch: async ({ params }, context) => presentBatch(await visibleBatch(params.id, context)),
    listResults: async ({ params, query: { limit, after } }, context) => {
      const { id: batchId } = await visibleBatch(params.id, context);
      const { scopes } = context.caller;
      const page = await batches.listItems({ scopes, batchId, limit, ...(after === undefined ? {} : { after }) });
      return { items: page.items.map(presentResult), next: page.next };
    },
    pauseBatch: steer("Paused"),
    resumeBatch: steer("Running"),
    cancelBatch: steer("Canceled"),
  };
  mountRoutes(server, batchRoutes, handlers);
}

function presentBatch({ id, state, total, done, failed, wave, reason, ...batch }: BatchRecord): Batch {
  return {
    ...{ id, state, total, done, failed, wave, reason },
    operation: batch.operation as Batch["operation"],
    createdBy: batch.actor.name,
    createdTime: toTime(batch.createdAt),
    finishedTime: toTimeOrNull(batch.finishedAt),
  };
}

const presentResult = ({ clusterName, wave, state, jobId, message }: BatchItemRecord): Result => ({
  ...{ wave, state, jobId, message },
  cluster: clusterName,
});
