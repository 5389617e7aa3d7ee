import { clusterDetailRoutes, DroverError, type Handlers, type RouteAnswer } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { diffRevisions } from "../../app/change-cluster.ts";
import { changeNode } from "../../app/change-node.ts";
import type { Sighting } from "../../domain/sighting.ts";
import type { ClusterRecord, RevisionRecord } from "../../ports/store/index.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { presentAcceptedJob } from "../present/accepted.ts";
import { toTime, toTimeOrNull } from "../present/time.ts";
import type { RequestContext } from "../request-context.ts";
import { readyCluster, visibleCluster } from "../visible-cluster.ts";
import { reasonOf } from "./clusters.ts";

type NodeList = RouteAnswer<typeof clusterDetailRoutes.listNodes>["items"];

export function addClusterDetailRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const { read } = app.store;
  const handlers: Handlers<typeof clusterDetailRoutes, RequestContext> = {
    listRevisions: async ({ params, query }, context) => {
      const cluster = await visibleCluster(app, context, params.name);
      const before = readGenerationCursor(query.after);
      const older = (await read.listRevisions(cluster.id)).filter(({ generation }) => generation < before);
      const page = older.slice(0, query.limit);
      const last = page.at(-1);
      return {
        items: page.map(presentRevision),
        next: last === undefined || older.length === page.length ? null : String(last.generation),
      };
    },
    getRevision: async ({ params }, context) => {
      const cluster = await visibleCluster(app, context, params.name);
      const revision = await read.getRevision(cluster.id, params.generation);
      if (revision !== null) return presentRevision(revision);
      throw new DroverError(
        "revision-not-found",
        `The cluster "${params.name}" has no generation ${params.generation}.`,
      );
    },
    diffRevisions: async ({ params, query }, context) => {
      const cluster = await visibleCluster(app, context, params.name);
      if (query.from === undefined && query.to === undefined) return { differences: await differencesSeen(cluster) };
      const to = query.to ?? cluster.generation;
      const { changes } = await diffRevisions(app, params.name, query.from ?? Math.max(1, to - 1), to);
      return {
        differences: changes.map(({ path, before, after }) => ({ path, before: before ?? null, after: after ?? null })),
      };
    },
    listNodes: async ({ params }, context) => {
      const cluster = await readyCluster(app, context, params.name);
      const seen = await lastSighting(cluster.id);
      if (seen === null) throw new DroverError("cluster-not-ready", `Nobody has looked at "${params.name}" yet.`);
      return { items: (seen.sighting.body.nodes ?? []) as unknown as NodeList, seenTime: toTime(seen.at) };
    },
    changeNode: async ({ params, body }, context) => {
      const { name } = await readyCluster(app, context, params.name);
      const { node, action } = params;
      const who = { actor: context.caller.actor, ...reasonOf(body), ...context.idempotency };
      return presentAcceptedJob(await changeNode(app, { ...who, name, node, action, force: body.force === true }));
    },
    listObjects: async ({ params }, context) => {
      const cluster = await visibleCluster(app, context, params.name);
      const objects = await read.listExternalObjects({ clusterId: cluster.id });
      return {
        items: objects.map(({ system, kind, ref, state, seenAt }) => ({
          ...{ system, kind, ref, state },
          seenTime: toTimeOrNull(seenAt),
        })),
      };
    },
  };
  mountRoutes(server, clusterDetailRoutes, handlers);

  async function lastSighting(clusterId: string): Promise<{ at: number; sighting: Sighting } | null> {
    const seen = (await read.briefClusters([clusterId])).get(clusterId)?.seen ?? null;
    return seen === null ? null : { at: seen.at, sighting: seen.body as unknown as Sighting };
  }

  /** Where what was last seen is not what is wanted, and what was declared since the last job that came to its end. */
  async function differencesSeen({ id, name, generation, observedGeneration }: ClusterRecord) {
    const seen = await lastSighting(id);
    const drift = (seen?.sighting.drift ?? []).map(({ path, desired, actual }) => ({
      ...{ path, before: desired, after: actual },
    }));
    if (observedGeneration === 0 || observedGeneration === generation) return drift;
    const { changes } = await diffRevisions(app, name, observedGeneration, generation);
    const waiting = changes
      .filter(({ path }) => drift.every((one) => one.path !== path))
      .map(({ path, before, after }) => ({ path, before: after ?? null, after: before ?? null }));
    return [...drift, ...waiting];
  }
}

function readGenerationCursor(after: string | undefined): number {
  if (after === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9][0-9]{0,14}$/.test(after)) return Number(after);
  throw new DroverError("page-cursor-invalid", "The cursor was not given out for this list.");
}

function presentRevision({ generation, author, reason, createdAt, spec }: RevisionRecord) {
  return { generation, author, reason, createdTime: toTime(createdAt), spec };
}
