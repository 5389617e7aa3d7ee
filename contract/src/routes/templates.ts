import { z } from "zod";
import { accepted, dnsLabel, line, nameParams, reason, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

const parameter = z.strictObject({
  name: z.string().regex(/^[a-z][A-Za-z0-9]{0,62}$/),
  description: line(1024).optional(),
  type: z.enum(["text", "number", "boolean"]),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
});

const content = {
  description: line(1024).optional(),
  parameters: z.array(parameter).max(64),
  /** A Cluster document in which `${name}` stands for a parameter. */
  document: z.record(z.string(), z.unknown()),
};

const template = z.strictObject({
  name: dnsLabel,
  ...content,
  version: z.int().min(1),
  updatedBy: z.string(),
  updatedTime: timestamp,
});

export const templateRoutes = {
  listTemplates: {
    method: "GET",
    path: "/api/v1/templates",
    summary: "All templates.",
    access: "viewer",
    success: 200,
    response: z.strictObject({ items: z.array(template) }),
    errors: [],
  },
  getTemplate: {
    method: "GET",
    path: "/api/v1/templates/:name",
    summary: "One template.",
    access: "viewer",
    params: nameParams,
    success: 200,
    response: template,
    errors: ["template-not-found"],
  },
  createTemplate: {
    method: "POST",
    path: "/api/v1/templates",
    summary: "Make a template.",
    access: "operator",
    body: z.strictObject({ name: dnsLabel, ...content }),
    success: 201,
    response: template,
    errors: ["template-exists", "validation-failed"],
  },
  changeTemplate: {
    method: "PUT",
    path: "/api/v1/templates/:name",
    summary: "Replace a template. Clusters made from it stay as they are.",
    access: "operator",
    params: nameParams,
    body: z.strictObject(content),
    ifMatch: true,
    success: 200,
    response: template,
    errors: ["template-not-found", "validation-failed", "generation-conflict", "precondition-required"],
  },
  deleteTemplate: {
    method: "DELETE",
    path: "/api/v1/templates/:name",
    summary: "Delete a template.",
    access: "operator",
    params: nameParams,
    success: 204,
    response: null,
    errors: ["template-not-found"],
  },
  instantiateTemplate: {
    method: "POST",
    path: "/api/v1/templates/:name/instantiate",
    summary: "Declare a cluster from a template.",
    access: "operator",
    params: nameParams,
    body: z.strictObject({
      cluster: dnsLabel,
      parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
      reason: reason.optional(),
    }),
    success: 202,
    response: accepted,
    errors: ["template-not-found", "validation-failed", "cluster-exists", "cluster-deleting"],
  },
} as const satisfies RouteTable;
