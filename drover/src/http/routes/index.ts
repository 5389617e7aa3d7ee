import type { FastifyInstance } from "fastify";
import type { ApiParts } from "../api-parts.ts";
import { addClusterActionRoutes } from "./cluster-actions.ts";
import { addClusterDetailRoutes } from "./cluster-details.ts";
import { addClusterRoutes } from "./clusters.ts";
import { addJobRoutes } from "./jobs.ts";
import { addMetaRoutes } from "./meta.ts";

/** Every address of the API: one line for each table of the contract. */
export function mountApi(app: FastifyInstance, parts: ApiParts): void {
  addMetaRoutes(app, parts);
  addClusterRoutes(app, parts);
  addClusterActionRoutes(app, parts);
  addClusterDetailRoutes(app, parts);
  addJobRoutes(app, parts);
}
