import { doctorRoutes, type Handlers } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { listHostReports } from "../../app/list-host-reports.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { toTime } from "../present/time.ts";
import type { RequestContext } from "../request-context.ts";

export function addDoctorRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const handlers: Handlers<typeof doctorRoutes, RequestContext> = {
    listReports: async (_input, { caller }) => ({
      items: (await listHostReports(app, caller)).map(({ worker, host, at, findings }) => ({
        ...{ worker, host, checkedTime: toTime(at) },
        findings: findings.map((finding) => ({ ...finding })),
      })),
    }),
  };
  mountRoutes(server, doctorRoutes, handlers);
}
