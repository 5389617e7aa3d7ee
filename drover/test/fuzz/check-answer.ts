import { COMMON_ERRORS, ERRORS, type ErrorCode, problemDetails } from "@drover/contract";
import { expect } from "vitest";
import { expectAnnounced, findRoute } from "../answers.ts";
import type { FuzzRequest } from "./requests.ts";
import type { FuzzAnswer } from "./send.ts";

/** What is refused before it is known which route is meant. */
const ELSEWHERE: readonly string[] = [
  ...COMMON_ERRORS,
  "route-not-found",
  "method-not-allowed",
  "document-too-large",
  "media-type-unsupported",
];

/** Never a failure of Drover itself, and never anything that the contract does not announce. */
export function checkAnswer(request: FuzzRequest, answer: FuzzAnswer): void {
  const said = `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${request.body?.slice(0, 500)}\n${answer.status} ${answer.text.slice(0, 2_000)}`;
  const { status, text, type } = answer;
  expect(status < 500 || status === 503, said).toBe(true);
  if (request.method === "HEAD" || status === 304 || status === 101) return;
  const isJson = type.includes("json") && text !== "";
  const route = findRoute(request.method, request.url);
  if (status >= 400) {
    // Node itself answers what is no HTTP at all, without a body.
    if (status === 400 && text === "") return;
    expect(isJson, said).toBe(true);
    const json = JSON.parse(text) as { code: ErrorCode };
    expect(problemDetails.safeParse(json).error?.issues ?? [], said).toEqual([]);
    expect(ERRORS[json.code].status, said).toBe(status);
    if (route === undefined) expect(ELSEWHERE, said).toContain(json.code);
    else expectAnnounced(route, { status, text: said, json });
    return;
  }
  expect(route, said).toBeDefined();
  if (route !== undefined && isJson) expectAnnounced(route, { status, text: said, json: JSON.parse(text) });
}
