import type { batchRoutes, RouteRequest } from "@drover/contract";

/** What somebody asks of many clusters, as the contract has it. */
export type BatchOrder = RouteRequest<typeof batchRoutes.createBatch>["body"];
export type BatchOperation = BatchOrder["operation"];

/** What the operation needs to know beside the clusters; kept with the batch. */
export interface BatchParameters {
  readonly version?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly consent: boolean;
}
