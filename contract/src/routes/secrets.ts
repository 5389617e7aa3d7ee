import { z } from "zod";
import { dnsSubdomain } from "../cluster/scalars.ts";
import { line, text, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

const params = z.strictObject({ name: dnsSubdomain });
const entries = z
  .record(text(253, /^[-._a-zA-Z0-9]+$/, "secret-key"), z.string().min(1).max(65_536))
  .refine((map) => Object.keys(map).length <= 32);

/** What may be seen of a secret: never its values. */
const secret = z.strictObject({
  name: dnsSubdomain,
  description: z.string(),
  keys: z.array(z.string()),
  usedBy: z.array(z.string()),
  updatedBy: z.string(),
  updatedTime: timestamp,
});

export const secretRoutes = {
  listSecrets: {
    method: "GET",
    path: "/api/v1/secrets",
    summary: "Names of all secrets, and which clusters and machines use them.",
    access: "operator",
    success: 200,
    response: z.strictObject({ items: z.array(secret) }),
    errors: [],
  },
  createSecret: {
    method: "POST",
    path: "/api/v1/secrets",
    summary: "Store a secret. Its values can be replaced, but never read back.",
    access: "operator",
    body: z.strictObject({ name: dnsSubdomain, description: line(1024).optional(), entries }),
    success: 201,
    response: secret,
    errors: ["secret-exists"],
  },
  replaceSecret: {
    method: "PUT",
    path: "/api/v1/secrets/:name",
    summary: "Replace the values of a secret.",
    access: "operator",
    params,
    body: z.strictObject({ description: line(1024).optional(), entries }),
    success: 200,
    response: secret,
    errors: ["secret-not-found"],
  },
  deleteSecret: {
    method: "DELETE",
    path: "/api/v1/secrets/:name",
    summary: "Delete a secret that no cluster and no machine uses.",
    access: "operator",
    params,
    success: 204,
    response: null,
    errors: ["secret-not-found", "secret-in-use"],
  },
} as const satisfies RouteTable;
