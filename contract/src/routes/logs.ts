import { z } from "zod";
import { idParams, line, timestamp } from "./common.ts";
import type { RouteTable } from "./route.ts";

export const logLine = z.strictObject({
  line: z.int().min(1),
  time: timestamp,
  step: z.string(),
  host: z.string(),
  stream: z.enum(["stdout", "stderr", "drover"]),
  text: z.string(),
});

const from = z.coerce.number().int().min(1).default(1);
const narrow = { step: line(253).optional(), host: line(253).optional() };

export const logRoutes = {
  readLog: {
    method: "GET",
    path: "/api/v1/jobs/:id/log",
    summary: "Lines of a job's log from any line on.",
    access: "viewer",
    params: idParams,
    query: z.strictObject({ from, limit: z.coerce.number().int().min(1).max(10_000).default(1000), ...narrow }),
    success: 200,
    response: z.strictObject({
      lines: z.array(logLine),
      /** The last line that was looked at: reading goes on with the one behind it. */
      last: z.int().min(0),
      /** How many lines there are by now. */
      total: z.int().min(0),
    }),
    errors: ["job-not-found"],
  },
  searchLog: {
    method: "GET",
    path: "/api/v1/jobs/:id/log/search",
    summary: "Every line that holds a text, with their exact number.",
    access: "viewer",
    params: idParams,
    query: z.strictObject({ text: line(253), limit: z.coerce.number().int().min(1).max(10_000).default(100) }),
    success: 200,
    response: z.strictObject({ total: z.int(), lines: z.array(logLine) }),
    errors: ["job-not-found"],
  },
  streamLog: {
    method: "GET",
    path: "/api/v1/jobs/:id/log/stream",
    summary: "Lines as they come, from any line on; Last-Event-ID goes on after the last one seen.",
    access: "viewer",
    params: idParams,
    query: z.strictObject({ from, ...narrow }),
    success: 200,
    response: null,
    delivery: "sse",
    errors: ["job-not-found"],
  },
  openLogSocket: {
    method: "GET",
    path: "/api/v1/jobs/:id/log/socket",
    summary: "The same over a WebSocket.",
    access: "viewer",
    params: idParams,
    query: z.strictObject({ from, ...narrow }),
    success: 200,
    response: null,
    delivery: "websocket",
    errors: ["job-not-found"],
  },
} as const satisfies RouteTable;
