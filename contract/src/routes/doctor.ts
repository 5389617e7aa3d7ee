import { z } from "zod";
import { timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

const finding = z.strictObject({
  check: z.string(),
  result: z.enum(["ok", "warning", "problem"]),
  detail: z.string(),
  /** The exact next move; empty when there is nothing to do. */
  next: z.string(),
});

const report = z.strictObject({
  worker: z.string(),
  host: z.string(),
  checkedTime: timestamp,
  findings: z.array(finding),
});

export const doctorRoutes = {
  listReports: {
    method: "GET",
    path: "/api/v1/doctor",
    summary: "What each worker says of the machine that it runs on, and what to do where something is missing.",
    access: "viewer",
    success: 200,
    response: z.strictObject({ items: z.array(report) }),
    errors: [],
  },
} as const satisfies RouteTable;
