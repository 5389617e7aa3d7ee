import { type ErrorCode, listErrors, problemDetails, ROUTES, type Route } from "@drover/contract";
import { expect } from "vitest";

const ALL: readonly Route[] = Object.values(ROUTES).flatMap((table) => Object.values(table as Record<string, Route>));

const toPattern = (path: string) =>
  new RegExp(`^${path.replaceAll(/[.]/g, "\\.").replaceAll(/:[A-Za-z]+/g, "[^/]*")}$`);

/** The route of the contract that a request means. A path without parameters wins over one with. */
export function findRoute(method: string, url: string): Route | undefined {
  const path = url.split("?", 1)[0] ?? "";
  const fitting = ALL.filter((route) => route.method === method && toPattern(route.path).test(path));
  return fitting.sort((one, other) => one.path.split(":").length - other.path.split(":").length)[0];
}

/** Every answer is one that the contract announces: its status, its body, its error. */
export function expectAnnounced(
  route: Route,
  answer: { readonly status: number; readonly json: unknown; readonly text: string },
): void {
  if (answer.status >= 400) {
    expect(problemDetails.safeParse(answer.json).error?.issues ?? [], answer.text).toEqual([]);
    const { code } = answer.json as { code: ErrorCode };
    expect(listErrors(route), `${route.method} ${route.path} must announce it: ${answer.text}`).toContain(code);
    return;
  }
  if (answer.status === 304) return;
  expect(answer.status).toBe(route.success);
  if (route.response === null || route.delivery !== undefined) return;
  expect(route.response.safeParse(answer.json).error?.issues ?? [], answer.text).toEqual([]);
}
