import type { z } from "zod";
import { describeIssue } from "../cluster/describe-issue.ts";
import { guardDocument, LIMITS, type Limits } from "../cluster/guard.ts";
import { MAXIMUM_PROBLEMS } from "../cluster/validate.ts";
import { makeProblem, type Problem } from "../problems.ts";
import type { Route } from "./route.ts";

export interface RawRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export type CheckedRequest =
  | { readonly ok: true; readonly request: RawRequest }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** A request may carry a whole file as one text, or many names; a cluster's document may not. */
const REQUEST_LIMITS: Limits = { ...LIMITS, textLength: LIMITS.characters, listLength: 10_000 };

/**
 * Reads all parts of a request by the schemas of its route, or says everything that is wrong with any of them. Paths
 * begin with the part: `query.limit`, `body.name`. A document is left for the use case to check.
 */
export function checkRequest(route: Route, raw: RawRequest): CheckedRequest {
  const problems: Problem[] = [];
  const read = (part: keyof RawRequest, schema: z.ZodType | undefined) => {
    const result = checkPart(part, schema, raw[part]);
    problems.push(...result.problems);
    return result.data;
  };
  const request = {
    params: read("params", route.params),
    query: read("query", route.query),
    body: route.documentBody === true ? raw.body : read("body", route.body),
  };
  return problems.length === 0 ? { ok: true, request } : { ok: false, problems: problems.slice(0, MAXIMUM_PROBLEMS) };
}

function checkPart(part: keyof RawRequest, schema: z.ZodType | undefined, value: unknown) {
  if (schema === undefined) return { data: undefined, problems: isEmpty(value) ? [] : [describeUnwanted(part, value)] };
  const guarded = value === undefined ? { copy: undefined, problems: [] } : guardDocument(value, REQUEST_LIMITS);
  if (guarded.problems.length > 0)
    return { data: undefined, problems: guarded.problems.map((one) => within(part, one)) };
  const parsed = schema.safeParse(guarded.copy, { error: () => "" });
  if (parsed.success) return { data: parsed.data, problems: [] };
  const problems = parsed.error.issues.flatMap((issue) => describeIssue(issue, guarded.copy, MAXIMUM_PROBLEMS, schema));
  return { data: undefined, problems: problems.map((one) => within(part, one)) };
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);

function describeUnwanted(part: keyof RawRequest, value: unknown): Problem {
  if (part === "body") return makeProblem("body", "unknown-field", "The request must have no body.");
  const [name = ""] = Object.keys(value as object);
  return makeProblem(`${part}.${name}`, "unknown-field", `There is no parameter ${JSON.stringify(name)} here.`);
}

function within(part: keyof RawRequest, problem: Problem): Problem {
  const separator = problem.path === "" || problem.path.startsWith("[") ? "" : ".";
  return { ...problem, path: `${part}${separator}${problem.path}` };
}
