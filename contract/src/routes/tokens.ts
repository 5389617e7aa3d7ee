import { z } from "zod";
import { id, idParams, line, role, selector, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

const token = z.strictObject({
  id,
  name: z.string(),
  owner: z.string(),
  role,
  scopes: z.array(z.string()),
  createdTime: timestamp,
  expiresTime: timestamp.nullable(),
  lastUsedTime: timestamp.nullable(),
});

export const tokenRoutes = {
  listTokens: {
    method: "GET",
    path: "/api/v1/tokens",
    summary: "Your tokens; for administrators those of everyone.",
    access: "viewer",
    success: 200,
    response: z.strictObject({ items: z.array(token) }),
    errors: [],
  },
  createToken: {
    method: "POST",
    path: "/api/v1/tokens",
    summary: "A token for programs that may do no more than you. It is shown once.",
    access: "viewer",
    body: z.strictObject({
      name: line(100),
      role,
      scopes: z.array(selector).max(32).optional(),
      lifetimeSeconds: z.int().min(60).max(31_536_000).optional(),
    }),
    success: 201,
    response: z.strictObject({ token, secret: z.string() }),
    errors: ["forbidden"],
  },
  revokeToken: {
    method: "DELETE",
    path: "/api/v1/tokens/:id",
    summary: "Make a token useless at once, and end its streams.",
    access: "viewer",
    params: idParams,
    success: 204,
    response: null,
    errors: ["token-not-found"],
  },
} as const satisfies RouteTable;
