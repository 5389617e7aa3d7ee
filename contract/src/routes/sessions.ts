import { z } from "zod";
import { id, idParams, line, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";
import { user } from "./users.ts";

const session = z.strictObject({
  id,
  address: z.string(),
  userAgent: z.string(),
  createdTime: timestamp,
  expiresTime: timestamp,
  current: z.boolean(),
});

const preferences = z.strictObject({
  language: z.enum(["en", "zh-CN"]).optional(),
  theme: z.enum(["light", "dark", "system", "contrast"]).optional(),
  utc: z.boolean().optional(),
});

export const sessionRoutes = {
  listLoginWays: {
    method: "GET",
    path: "/api/v1/login",
    summary: "Which ways to sign in there are.",
    access: "public",
    success: 200,
    response: z.strictObject({ password: z.boolean(), openId: z.boolean() }),
    errors: [],
  },
  login: {
    method: "POST",
    path: "/api/v1/login",
    summary: "Sign in by name and password. The session is a cookie.",
    access: "public",
    body: z.strictObject({ name: line(64), password: z.string().min(1).max(1024) }),
    success: 200,
    response: user,
    errors: ["login-failed"],
  },
  loginWithLink: {
    method: "POST",
    path: "/api/v1/login/link",
    summary: "Sign in by the one-time link that Drover printed at its start.",
    access: "public",
    body: z.strictObject({ token: z.string().min(16).max(256) }),
    success: 200,
    response: user,
    errors: ["login-failed"],
  },
  startOidc: {
    method: "GET",
    path: "/api/v1/login/oidc",
    summary: "Go to the OpenID provider.",
    access: "public",
    query: z.strictObject({ returnTo: line(1024).optional() }),
    success: 302,
    response: null,
    delivery: "redirect",
    errors: ["openid-not-configured", "openid-unreachable"],
  },
  finishOidc: {
    method: "GET",
    path: "/api/v1/login/oidc/callback",
    summary: "Come back from the OpenID provider.",
    access: "public",
    query: z.looseObject({ state: z.string().max(1024) }),
    success: 302,
    response: null,
    delivery: "redirect",
    errors: ["login-failed", "openid-not-configured"],
  },
  logout: {
    method: "POST",
    path: "/api/v1/logout",
    summary: "End this session.",
    access: "viewer",
    success: 204,
    response: null,
    errors: [],
  },
  whoAmI: {
    method: "GET",
    path: "/api/v1/me",
    summary: "Who you are and what you may do.",
    access: "viewer",
    success: 200,
    response: z.strictObject({ user, preferences }),
    errors: [],
  },
  changeMe: {
    method: "PATCH",
    path: "/api/v1/me",
    summary: "Your preferences, or a new password.",
    access: "viewer",
    body: z.strictObject({
      preferences: preferences.optional(),
      password: z.strictObject({ current: z.string().max(1024), next: z.string().min(1).max(1024) }).optional(),
    }),
    success: 200,
    response: z.strictObject({ user, preferences }),
    errors: ["login-failed", "password-weak", "forbidden"],
  },
  listSessions: {
    method: "GET",
    path: "/api/v1/sessions",
    summary: "Your open sessions.",
    access: "viewer",
    success: 200,
    response: z.strictObject({ items: z.array(session) }),
    errors: [],
  },
  revokeSession: {
    method: "DELETE",
    path: "/api/v1/sessions/:id",
    summary: "End a session of yours at once, and its streams with it.",
    access: "viewer",
    params: idParams,
    success: 204,
    response: null,
    errors: ["session-not-found", "forbidden"],
  },
} as const satisfies RouteTable;
