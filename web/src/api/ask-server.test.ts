import { expect, it } from "vitest";
import { askServer } from "./ask-server.ts";

type Reply = () => Response | Promise<Response>;

const json =
  (body: unknown, status = 200): Reply =>
  () =>
    Response.json(body, { status });

function ask(version: Reply, readiness: Reply) {
  const replies: Record<string, Reply> = { "/api/v1/version": version, "/readyz": readiness };
  return askServer(new AbortController().signal, async (path) => await (replies[path as string] as Reply)());
}

const version = json({ name: "drover", version: "1.2.3" });
const ready = json({ status: "ready" });

it("asks its own server for version and readiness", async () => {
  expect(await ask(version, ready)).toEqual({ ok: true, version: "1.2.3", ready: true, detail: undefined });
});

it("takes 503 as an answer, with its reason", async () => {
  const answer = await ask(version, json({ code: "store-unreachable", detail: "locked" }, 503));
  expect(answer).toEqual({ ok: true, version: "1.2.3", ready: false, detail: "locked" });
});

it.each([
  ["another status", json({}, 500), ready, { kind: "status", status: 500 }],
  ["another status of readiness", version, json({}, 404), { kind: "status", status: 404 }],
  ["a page instead of data", () => new Response("<!doctype html>"), ready, { kind: "unreadable" }],
  ["data of something else", json({ version: 3 }), ready, { kind: "unreadable" }],
  ["nothing", () => Promise.reject(new TypeError("Failed to fetch")), ready, { kind: "network" }],
  ["no answer in time", () => Promise.reject(new DOMException("late", "TimeoutError")), ready, { kind: "timeout" }],
] as const)("names the cause when there is %s", async (_, first, second, cause) => {
  expect(await ask(first, second)).toEqual({ ok: false, cause });
});
