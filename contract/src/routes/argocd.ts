import { z } from "zod";
import type { RouteTable } from "./route.ts";

/** The plugin generator of Argo CD's ApplicationSets. Its path and shapes are Argo CD's. */
export const argocdRoutes = {
  getParameters: {
    method: "POST",
    path: "/api/v1/getparams.execute",
    summary: "Clusters as parameters of an ApplicationSet. 503 when not sure; an empty list would delete everything.",
    access: "plugin",
    body: z.looseObject({
      applicationSetName: z.string().max(253),
      input: z.looseObject({ parameters: z.record(z.string(), z.unknown()).optional() }).optional(),
    }),
    success: 200,
    response: z.strictObject({ output: z.strictObject({ parameters: z.array(z.record(z.string(), z.string())) }) }),
    errors: ["forbidden", "not-authoritative"],
  },
  createPluginToken: {
    method: "POST",
    path: "/api/v1/argocd/token",
    summary: "A new token for the plugin generator. It is shown once; the one before is no longer good.",
    access: "admin",
    success: 201,
    response: z.strictObject({ secret: z.string() }),
    errors: [],
  },
} as const satisfies RouteTable;
