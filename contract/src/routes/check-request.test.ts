import { describe, expect, it } from "vitest";
import { checkRequest, ROUTES } from "./index.ts";

const check = (query: unknown, body?: unknown, params: unknown = {}) =>
  checkRequest(ROUTES.batches.createBatch, { params, query, body });

const problemsOf = (result: ReturnType<typeof checkRequest>) =>
  result.ok ? [] : result.problems.map(({ path, code }) => `${path} ${code}`);

describe("checkRequest", () => {
  it("gives what the schemas made of the request, with defaults", () => {
    const result = checkRequest(ROUTES.clusters.listClusters, {
      params: {},
      query: { phase: "Running", limit: "5" },
      body: undefined,
    });
    expect(result).toMatchObject({ ok: true, request: { query: { phase: ["Running"], limit: 5, sort: "name" } } });
  });

  it("tells all problems of all parts at once, each with its place and a next move", () => {
    const result = checkRequest(ROUTES.clusterDetails.changeNode, {
      params: { name: "UPPER", node: "n1", action: "explode" },
      query: { force: "1" },
      body: { reasons: "x", reason: 7 },
    });
    expect(problemsOf(result)).toEqual([
      "params.name bad-name",
      "params.action unknown-value",
      "query.force unknown-field",
      "body.reason wrong-type",
      "body.reasons unknown-field",
    ]);
    if (!result.ok) for (const { next } of result.problems) expect(next).not.toBe("");
  });

  it("leaves a document to the use case, and refuses a body where there is none to be", () => {
    const text = "kind: Cluster";
    expect(checkRequest(ROUTES.clusters.declareCluster, { params: {}, query: {}, body: text })).toMatchObject({
      ok: true,
      request: { body: text },
    });
    expect(problemsOf(checkRequest(ROUTES.sessions.logout, { params: {}, query: {}, body: { a: 1 } }))).toEqual([
      "body unknown-field",
    ]);
  });

  it("refuses what could hurt whoever reads it further", () => {
    const order = { operation: "pause", reason: "r", clusters: ["a"] };
    expect(problemsOf(check({}, JSON.parse(`{"__proto__": 1, "operation": "pause", "reason": "r"}`)))).toEqual([
      "body.__proto__ forbidden-key",
    ]);
    expect(problemsOf(check({}, { ...order, reason: "a\u0000b" }))).toEqual(["body.reason control-character"]);
    let deep: unknown = "x";
    for (let level = 0; level < 100; level += 1) deep = [deep];
    expect(problemsOf(check({}, { ...order, clusters: deep }))[0]).toMatch(/^body\.clusters\[0\].* document-too-deep$/);
    expect(check({}, { ...order, clusters: Array.from({ length: 10_000 }, (_, index) => `c${index}`) }).ok).toBe(true);
  });
});
