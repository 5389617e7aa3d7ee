import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isApiError } from "./api-error.ts";
import { addressOf, callApi, listenToAnswers } from "./client.ts";

const answers = vi.fn<(address: string, init: RequestInit) => Promise<Response>>();
const heard: string[] = [];

beforeEach(() => {
  heard.length = 0;
  vi.stubGlobal("fetch", answers);
  listenToAnswers({
    onUnauthenticated: () => heard.push("signed out"),
    onSnapshot: (time) => time && heard.push(time),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  answers.mockReset();
});

const headersOf = () => new Headers(answers.mock.calls[0]?.[1].headers);

describe("addresses", () => {
  it("have their parameters escaped and their lists repeated", () => {
    expect(addressOf("clusters", "getCluster", { params: { name: "a/b?" } })).toBe("/api/v1/clusters/a%2Fb%3F");
    const query = { phase: ["Running", "Unknown"], search: undefined, limit: 5 };
    expect(addressOf("clusters", "listClusters", { query })).toBe(
      "/api/v1/clusters?phase=Running&phase=Unknown&limit=5",
    );
  });
});

describe("a call", () => {
  it("sends documents as YAML, with the version that they are based on", async () => {
    answers.mockResolvedValue(Response.json({ jobId: null }, { status: 202 }));
    await callApi("clusters", "editCluster", { params: { name: "a" }, body: "kind: Cluster", version: "7" });
    expect(headersOf().get("content-type")).toBe("application/yaml");
    expect(headersOf().get("if-match")).toBe('"7"');
  });

  it("gives every POST a key of its own, or the one it is given", async () => {
    answers.mockImplementation(async () => Response.json({}));
    await callApi("clusterActions", "pause", { params: { name: "a" }, body: {} });
    await callApi("clusterActions", "pause", { params: { name: "a" }, body: {}, idempotencyKey: "once" });
    const keys = answers.mock.calls.map(([, { headers }]) => new Headers(headers).get("idempotency-key"));
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), "once"]);
  });

  it("ends with the problem that the server told, and says when nobody is signed in", async () => {
    const problem = { status: 401, code: "unauthenticated", title: "t", hint: "h", retryable: false };
    answers.mockResolvedValue(Response.json(problem, { status: 401 }));
    const error = await callApi("sessions", "whoAmI", {}).catch((reason: unknown) => reason);
    expect(isApiError(error, "unauthenticated")).toBe(true);
    expect(heard).toEqual(["signed out"]);
  });

  it.each([
    ["network", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["unreadable", () => Promise.resolve(new Response("<html>", { status: 502 }))],
  ] as const)("tells %s trouble from an answer", async (code, answer) => {
    answers.mockImplementation(answer);
    const error = await callApi("sessions", "whoAmI", {}).catch((reason: unknown) => reason);
    expect(isApiError(error, code)).toBe(true);
  });

  it("notes that what it read is a snapshot", async () => {
    const headers = { "x-drover-snapshot": "2026-01-01T00:00:00Z" };
    answers.mockResolvedValue(Response.json({ total: 0, phases: {}, providers: {} }, { headers }));
    await callApi("clusters", "countClusters", {});
    expect(heard).toEqual(["2026-01-01T00:00:00Z"]);
  });
});
