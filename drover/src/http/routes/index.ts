import type { FastifyInstance } from "fastify";
import type { ApiParts } from "../api-parts.ts";
import { openStreams } from "../live/streams.ts";
import { addClusterActionRoutes } from "./cluster-actions.ts";
import { addClusterDetailRoutes } from "./cluster-details.ts";
import { addClusterRoutes } from "./clusters.ts";
import { addEventRoutes } from "./events.ts";
import { addJobRoutes } from "./jobs.ts";
import { addLogRoutes } from "./logs.ts";
import { addMetaRoutes } from "./meta.ts";
import { addSessionRoutes } from "./sessions.ts";
import { addTokenRoutes } from "./tokens.ts";
import { addUserRoutes } from "./users.ts";

/** Every address of the API: one line for each table of the contract. */
export function mountApi(app: FastifyInstance, parts: ApiParts): void {
  const streams = openStreams(app, parts.app);
  addMetaRoutes(app, parts);
  addSessionRoutes(app, parts);
  addUserRoutes(app, parts);
  addTokenRoutes(app, parts);
  addClusterRoutes(app, parts);
  addClusterActionRoutes(app, parts);
  addClusterDetailRoutes(app, parts);
  addJobRoutes(app, parts);
  addEventRoutes(app, parts, streams);
  addLogRoutes(app, parts, streams);
}
