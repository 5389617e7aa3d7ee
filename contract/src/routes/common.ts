import { z } from "zod";
import { dnsLabel, labels, line, text, timestamp } from "../cluster/scalars.ts";
import { PROBLEMS, type ProblemCode } from "../problems.ts";
import { ROLES } from "./route.ts";

/** Ids that Drover gives out: sortable, 26 letters and digits; anything that could be one is accepted. */
export const id = text(64, /^[A-Za-z0-9_-]+$/, "line");

export const role = z.enum(ROLES);
export const clusterParams = z.strictObject({ name: dnsLabel });
export const idParams = z.strictObject({ id });
export const nameParams = z.strictObject({ name: dnsLabel });

/** How much of a list to give, and where to go on. Cursors are opaque. */
export const paging = {
  limit: z.coerce.number().int().min(1).max(500).default(100),
  after: text(1024, /^[A-Za-z0-9_=.~-]+$/, "line").optional(),
};

export const flag = z.enum(["true", "false"]).transform((value) => value === "true");

/** A label selector, as kubectl writes it: `env=prod,tier in (a,b),!legacy`. */
export const selector = line(4096);

/** The same query parameter once or several times. */
export function severalOf<T extends z.ZodType>(item: T) {
  return z.union([item.transform((value) => [value]), z.array(item).max(64)]);
}

export function page<T extends z.ZodType>(item: T) {
  return z.strictObject({
    items: z.array(item),
    /** Give it back as `after` to read on; null at the end. */
    next: z.string().nullable(),
  });
}

export const actor = z.strictObject({
  type: z.enum(["user", "token", "worker", "system"]),
  name: z.string(),
  address: z.string().optional(),
});

export const reason = line(1024);

/** Every change is acknowledged at once and happens afterwards, in a job. */
export const accepted = z.strictObject({
  cluster: z.string(),
  generation: z.int().min(1),
  /** Null when nothing had to be done. */
  jobId: z.string().nullable(),
});

export const problem = z.strictObject({
  path: z.string(),
  code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
  message: z.string(),
  next: z.string(),
});

/** An error as RFC 9457 has it, with what Drover adds. Facts such as the phase or the current generation stand beside. */
export const problemDetails = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  code: z.string(),
  hint: z.string(),
  retryable: z.boolean(),
  requestId: z.string(),
  problems: z.array(problem).optional(),
});

export { dnsLabel, labels, line, text, timestamp };
