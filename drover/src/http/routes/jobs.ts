import { type Handlers, jobRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { cancelJob, retryJob } from "../../app/change-cluster.ts";
import type { JobReport } from "../../domain/job-report.ts";
import type { Plan } from "../../domain/plan.ts";
import { renderReportMarkdown } from "../../domain/render-report.ts";
import type { JobRecord } from "../../ports/store/index.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { presentGraph, presentJob } from "../present/job.ts";
import type { RequestContext } from "../request-context.ts";
import { visibleCluster, visibleJob } from "../visible-cluster.ts";
import { reasonOf } from "./clusters.ts";

export function addJobRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const { read } = app.store;
  const handlers: Handlers<typeof jobRoutes, RequestContext> = {
    listJobs: async ({ query }, context) => {
      const { cluster: name, state, kind, limit, after } = query;
      const cluster = name === undefined ? null : await visibleCluster(app, context, name);
      const page = await read.listJobs({
        ...{ limit, scopes: context.caller.scopes },
        ...(cluster === null ? {} : { clusterId: cluster.id }),
        ...(state === undefined ? {} : { states: state }),
        ...(kind === undefined ? {} : { kinds: kind }),
        ...(after === undefined ? {} : { after }),
      });
      return { items: page.items.map((job) => presentJob(job)), next: page.next };
    },
    getJob: async ({ params }, context) => presentJob(await visibleJob(app, context, params.id)),
    getGraph: async ({ params }, context) => {
      const job = await visibleJob(app, context, params.id);
      const plan = job.planHash === null ? null : ((await read.getPlan(job.planHash)) as Plan | null);
      return presentGraph(job, plan, await read.listSteps(job.id));
    },
    getReport: async ({ params, query }, context) => {
      const job = await visibleJob(app, context, params.id);
      const report = readReport(job);
      if (query.form === "json") return { ...report, job: presentJob(job), rootCause: rootCauseOf(job, report) };
      const text = report === null ? renderWithout(job) : renderReportMarkdown(report);
      context.reply.type("text/markdown; charset=utf-8").send(text);
      return { job: presentJob(job), rootCause: null };
    },
    cancelJob: async ({ params, body }, context) => {
      const job = await visibleJob(app, context, params.id);
      return presentJob(
        await cancelJob(app, {
          ...{ jobId: job.id, actor: context.caller.actor },
          ...reasonOf(body),
          ...(body.undo === undefined ? {} : { undo: body.undo }),
        }),
      );
    },
    retryJob: async ({ params, body }, context) => {
      const job = await visibleJob(app, context, params.id);
      return presentJob(
        await retryJob(app, { jobId: job.id, actor: context.caller.actor, ...reasonOf(body), ...context.idempotency }),
      );
    },
  };
  mountRoutes(server, jobRoutes, handlers);
}

/** Null until the job has come to an end, and for one that ended without a plan. */
const readReport = ({ report }: JobRecord) => report as unknown as JobReport | null;

function rootCauseOf({ error }: JobRecord, report: JobReport | null) {
  if (report === null || report.rootCause === null) return error;
  const { code, message, stepId } = report.rootCause;
  return { code, message, stepId };
}

function renderWithout({ clusterName, kind, state, error }: JobRecord): string {
  return `# ${clusterName}: ${kind}, ${state}\n\n${error === null ? "There is no report yet." : error.message}\n`;
}
