import {
  type clusterRoutes as ClusterRoutes,
  clusterRoutes,
  DroverError,
  type Handlers,
  isDroverError,
  type RouteRequest,
} from "@drover/contract";
import type { FastifyInstance } from "fastify";
import type { App } from "../../app/app.ts";
import { assertMayDeclare, assertVisible, type Caller } from "../../app/caller.ts";
import { deleteCluster } from "../../app/change-cluster.ts";
import { checkFleet } from "../../app/check-fleet.ts";
import { declareSpec, readCluster } from "../../app/declare-cluster.ts";
import {
  applyPlan,
  assertConsent,
  assertMayChange,
  changeSpec,
  type PlannedChange,
  planChange,
} from "../../app/plan-change.ts";
import { assertMayUseSecrets } from "../../app/secrets.ts";
import { assertReason } from "../../app/settings.ts";
import { type LabelSelector, parseLabelSelector } from "../../domain/labels.ts";
import type { ClusterFilter, ListClusters } from "../../ports/store/index.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { presentAccepted } from "../present/accepted.ts";
import { presentCluster } from "../present/cluster.ts";
import { presentPlan } from "../present/plan.ts";
import type { RequestContext } from "../request-context.ts";
import type { ReadOrRecall } from "../snapshot/read-or-recall.ts";
import { countFromSnapshot, listFromSnapshot } from "../snapshot/read-snapshot.ts";
import { visibleCluster } from "../visible-cluster.ts";

export function addClusterRoutes(server: FastifyInstance, { app }: ApiParts, readOrRecall: ReadOrRecall): void {
  const { read } = app.store;
  const handlers: Handlers<typeof ClusterRoutes, RequestContext> = {
    listClusters: async ({ query }, context) => {
      const { sort, limit, after, descending } = query;
      const wanted: ListClusters = {
        ...toFilter(query, context.caller),
        ...{ sort, limit },
        ...(after === undefined ? {} : { after }),
        ...(descending === undefined ? {} : { descending }),
      };
      return await readOrRecall(
        context,
        async () => {
          const page = await read.listClusters(wanted);
          const briefs = await read.briefClusters(page.items.map(({ id }) => id));
          return { items: page.items.map((record) => presentCluster(record, briefs.get(record.id))), next: page.next };
        },
        (snapshot) => {
          const page = listFromSnapshot(snapshot, wanted);
          return { items: page.items.map(({ shown }) => shown), next: page.next };
        },
      );
    },
    countClusters: async ({ query }, context) => {
      const filter = toFilter(query, context.caller);
      return await readOrRecall(
        context,
        () => read.countClusters(filter),
        (snapshot) => countFromSnapshot(snapshot, filter),
      );
    },
    getCluster: async ({ params: { name } }, context) => {
      const { version, shown } = await readOrRecall(
        context,
        async () => {
          const record = await visibleCluster(app, context, name);
          const briefs = await read.briefClusters([record.id]);
          return { version: record.version, shown: presentCluster(record, briefs.get(record.id)) };
        },
        (snapshot) => {
          const entry = snapshot.entries.find((one) => one.name === name);
          if (entry === undefined) throw new DroverError("cluster-not-found", `There is no cluster named "${name}".`);
          assertVisible(context.caller, entry);
          return entry;
        },
      );
      context.version = version;
      return shown;
    },
    declareCluster: async ({ query, body }, context) => {
      const { caller } = context;
      await assertReason(app, query.reason);
      const { metadata, spec } = await readCluster(app, asText(body));
      const { name, labels = {}, annotations = {} } = metadata;
      assertMayDeclare(caller, labels);
      await assertMayUseSecrets(app, caller, spec);
      const existing = await read.findCluster(name);
      if (query.dryRun === true) {
        if (existing !== null) throw new DroverError("cluster-exists", `A cluster named "${name}" exists already.`);
        return { cluster: name, generation: 1, jobId: null };
      }
      const result = await declareSpec(app, {
        ...{ name, spec, labels, annotations, actor: caller.actor, expectedVersion: null },
        ...reasonOf(query),
        ...context.idempotency,
      });
      return presentAccepted(result);
    },
    editCluster: async ({ params, query, body }, context) => {
      const { name } = params;
      const current = await visibleCluster(app, context, name);
      await assertReason(app, query.reason);
      const expectedVersion = context.expectedVersion ?? current.version;
      const { metadata, spec } = await readCluster(app, asText(body), name);
      const { labels = {}, annotations = {} } = metadata;
      assertMayDeclare(context.caller, labels);
      await assertMayUseSecrets(app, context.caller, spec);
      const request = { actor: context.caller.actor, ...reasonOf(query), ...context.idempotency };
      const change = { ...request, name, spec, labels, annotations, expectedVersion };
      if (query.dryRun === true) {
        await assertMayChange(app, change, query.consent === true);
        return { cluster: name, generation: current.generation, jobId: null };
      }
      return presentAccepted(await changeSpec(app, change, query.consent === true));
    },
    deleteCluster: async ({ params, query }, context) => {
      await visibleCluster(app, context, params.name);
      await assertReason(app, query.reason);
      const { releaseLeftovers } = query;
      const request = { name: params.name, actor: context.caller.actor, ...reasonOf(query), ...context.idempotency };
      return presentAccepted(
        await deleteCluster(app, { ...request, ...(releaseLeftovers === undefined ? {} : { releaseLeftovers }) }),
      );
    },
    validateCluster: async ({ body }) => {
      try {
        const problems = await checkFleet(app, await readCluster(app, asText(body)));
        return { valid: problems.length === 0, problems: [...problems] };
      } catch (error) {
        if (!isDroverError(error, "validation-failed")) throw error;
        return { valid: false, problems: [...error.problems] };
      }
    },
    planChange: async ({ params, body }, { caller }) => {
      const planned = await planVisible(app, caller, asText(body), params.name);
      return presentPlan(planned);
    },
    applyPlan: async ({ params, body }, context) => {
      const { caller } = context;
      await assertReason(app, body.reason);
      const planned = await planVisible(app, caller, body.document, params.name);
      if (planned.hash === body.planHash) assertConsent(planned, body.consent === true);
      const result = await applyPlan(app, {
        ...{ text: body.document, hash: body.planHash, actor: caller.actor },
        baseVersion: body.baseVersion === 0 ? null : body.baseVersion,
        ...reasonOf(body),
        ...context.idempotency,
      });
      return presentAccepted(result);
    },
  };
  mountRoutes(server, clusterRoutes, handlers);
}

type FilterQuery = RouteRequest<typeof ClusterRoutes.countClusters>["query"];

function toFilter(query: FilterQuery, { scopes }: Caller): ClusterFilter {
  const { selector, search, word, phase, modifier, provider, onlyReady } = query;
  return {
    scopes,
    ...(selector === undefined ? {} : { selector: readSelector(selector) }),
    ...(search === undefined ? {} : { search }),
    ...(word === undefined ? {} : { words: word.map(readWord) }),
    ...(phase === undefined ? {} : { phases: phase }),
    ...(modifier === undefined ? {} : { modifiers: modifier }),
    ...(provider === undefined ? {} : { providers: provider }),
    ...(onlyReady === undefined ? {} : { onlyReady }),
  };
}

function readWord(word: string): NonNullable<ClusterFilter["words"]>[number] {
  const [text = "", called = ""] = word.split(":");
  return { text, called };
}

export function readSelector(text: string): LabelSelector {
  const parsed = parseLabelSelector(text);
  if (parsed.ok) return parsed.selector;
  const said = parsed.errors.map(({ position, message }) => `At ${position + 1}: ${message}`).join(" ");
  throw new DroverError("request-invalid", `The label selector cannot be read. ${said}`);
}

export const reasonOf = ({ reason }: { readonly reason?: string | undefined }) =>
  reason === undefined ? {} : { reason };

function asText(body: unknown): string {
  if (typeof body === "string" && body !== "") return body;
  throw new DroverError("document-unparsable", "The request has no document.");
}

async function planVisible(app: App, caller: Caller, text: string, name: string): Promise<PlannedChange> {
  const { metadata, spec } = await readCluster(app, text, name);
  assertMayDeclare(caller, metadata.labels ?? {});
  await assertMayUseSecrets(app, caller, spec);
  const existing = await app.store.read.findCluster(name);
  if (existing !== null) assertVisible(caller, existing);
  return await planChange(app, text, name);
}
