import type { FastifyInstance } from "fastify";
import type { ApiParts } from "../api-parts.ts";
import { openStreams } from "../live/streams.ts";
import { addMetrics } from "../metrics.ts";
import { addArgocdRoutes } from "./argocd.ts";
import { addAuditRoutes } from "./audit.ts";
import { addBatchRoutes } from "./batches.ts";
import { addClusterActionRoutes } from "./cluster-actions.ts";
import { addClusterDetailRoutes } from "./cluster-details.ts";
import { addClusterRoutes } from "./clusters.ts";
import { addEventRoutes } from "./events.ts";
import { addGroupRoutes } from "./groups.ts";
import { addJobRoutes } from "./jobs.ts";
import { addKubeconfigRoutes } from "./kubeconfigs.ts";
import { addLogRoutes } from "./logs.ts";
import { addMetaRoutes } from "./meta.ts";
import { addSecretRoutes } from "./secrets.ts";
import { addSessionRoutes } from "./sessions.ts";
import { addSettingRoutes } from "./settings.ts";
import { addTemplateRoutes } from "./templates.ts";
import { addTokenRoutes } from "./tokens.ts";
import { addUserRoutes } from "./users.ts";
import { addWorkerRoutes } from "./workers.ts";

/** Every address of the API: one line for each table of the contract. */
export function mountApi(app: FastifyInstance, parts: ApiParts): void {
  const streams = openStreams(app, parts.app);
  const metrics = addMetrics(app, parts.app, () => streams.live.counts);
  addMetaRoutes(app, parts, metrics);
  addSessionRoutes(app, parts);
  addUserRoutes(app, parts);
  addTokenRoutes(app, parts);
  addClusterRoutes(app, parts);
  addClusterActionRoutes(app, parts);
  addClusterDetailRoutes(app, parts);
  addJobRoutes(app, parts);
  addEventRoutes(app, parts, streams);
  addLogRoutes(app, parts, streams);
  addKubeconfigRoutes(app, parts);
  addBatchRoutes(app, parts);
  addTemplateRoutes(app, parts);
  addGroupRoutes(app, parts);
  addSecretRoutes(app, parts);
  addAuditRoutes(app, parts);
  addSettingRoutes(app, parts);
  addWorkerRoutes(app, parts);
  addArgocdRoutes(app, parts);
}
