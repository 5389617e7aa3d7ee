import { z } from "zod";
import { id, idParams, line, role, selector, text, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

const userName = text(64, /^[a-z0-9][a-z0-9._@-]*$/, "user-name");
const scopes = z.array(selector).max(32);
const password = z.string().min(1).max(1024);

export const user = z.strictObject({
  id,
  name: userName,
  displayName: z.string(),
  role,
  /** Label selectors that narrow what the user may see and do; empty for everything. */
  scopes: z.array(z.string()),
  disabled: z.boolean(),
  /** Signs in through an OpenID provider. */
  external: z.boolean(),
  createdTime: timestamp,
});

export const userRoutes = {
  listUsers: {
    method: "GET",
    path: "/api/v1/users",
    summary: "All users.",
    access: "admin",
    success: 200,
    response: z.strictObject({ items: z.array(user) }),
    errors: [],
  },
  createUser: {
    method: "POST",
    path: "/api/v1/users",
    summary: "Make a user.",
    access: "admin",
    body: z.strictObject({
      name: userName,
      displayName: line(100).optional(),
      password: password.optional(),
      role,
      scopes: scopes.optional(),
    }),
    success: 201,
    response: user,
    errors: ["user-exists", "password-weak"],
  },
  changeUser: {
    method: "PATCH",
    path: "/api/v1/users/:id",
    summary: "Change a user. A new role, scope or password ends the user's sessions.",
    access: "admin",
    params: idParams,
    body: z.strictObject({
      displayName: line(100).optional(),
      password: password.optional(),
      role: role.optional(),
      scopes: scopes.optional(),
      disabled: z.boolean().optional(),
    }),
    success: 200,
    response: user,
    errors: ["user-not-found", "password-weak", "last-admin"],
  },
} as const satisfies RouteTable;
