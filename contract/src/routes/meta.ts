import { z } from "zod";
import type { RouteTable } from "./route.ts";

const version = z.strictObject({
  name: z.literal("drover"),
  version: z.string(),
});

export const metaRoutes = {
  health: {
    method: "GET",
    path: "/healthz",
    summary: "Whether the process is alive.",
    access: "public",
    success: 200,
    response: z.strictObject({ status: z.literal("alive") }),
    errors: [],
  },
  readiness: {
    method: "GET",
    path: "/readyz",
    summary: "Whether requests can be served: 503 while the store cannot be reached.",
    access: "public",
    success: 200,
    response: z.strictObject({ status: z.literal("ready") }),
    errors: ["store-unreachable"],
  },
  version: {
    method: "GET",
    path: "/api/v1/version",
    summary: "Which Drover this is.",
    access: "public",
    success: 200,
    response: version,
    errors: [],
  },
  openApi: {
    method: "GET",
    path: "/api/v1/openapi.json",
    summary: "This API as an OpenAPI 3.1 document.",
    access: "public",
    success: 200,
    response: z.looseObject({ openapi: z.string() }),
    errors: [],
  },
  metrics: {
    method: "GET",
    path: "/metrics",
    summary: "Figures in Prometheus' text form.",
    access: "viewer",
    success: 200,
    response: null,
    delivery: "text",
    errors: ["unauthenticated"],
  },
  supportBundle: {
    method: "POST",
    path: "/api/v1/support-bundle",
    summary: "Everything someone who helps would ask for, in one archive, without secrets.",
    access: "admin",
    success: 200,
    response: null,
    delivery: "file",
    errors: [],
  },
} as const satisfies RouteTable;
