import { z } from "zod";
import { text } from "./common.ts";
import type { RouteTable } from "./route.ts";

const key = text(100, /^[a-z][A-Za-z0-9.]*$/, "line");
const setting = z.strictObject({ key, value: z.unknown(), version: z.int().min(0), description: z.string() });

/** What a Drover process was started with, and where it was set. It changes with a restart only. */
const option = z.strictObject({
  name: z.string(),
  /** Null where it may hold a secret. */
  value: z.string().nullable(),
  /** A flag, a variable, a place in the configuration file; null for the default. */
  source: z.string().nullable(),
  description: z.string(),
  flag: z.string(),
  env: z.string(),
});

export const settingRoutes = {
  listOptions: {
    method: "GET",
    path: "/api/v1/options",
    summary: "What the server was started with, and where each option was set.",
    access: "admin",
    success: 200,
    response: z.strictObject({ items: z.array(option) }),
    errors: [],
  },
  listSettings: {
    method: "GET",
    path: "/api/v1/settings",
    summary: "All settings that can be changed while Drover runs.",
    access: "admin",
    success: 200,
    response: z.strictObject({ items: z.array(setting) }),
    errors: [],
  },
  putSetting: {
    method: "PUT",
    path: "/api/v1/settings/:key",
    summary: "Change a setting.",
    access: "admin",
    params: z.strictObject({ key }),
    body: z.strictObject({ value: z.unknown() }),
    ifMatch: true,
    success: 200,
    response: setting,
    errors: ["setting-not-found", "setting-conflict", "validation-failed", "precondition-required"],
  },
} as const satisfies RouteTable;
