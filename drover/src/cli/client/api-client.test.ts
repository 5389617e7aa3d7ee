import { clusterRoutes, jobRoutes, tokenRoutes } from "@drover/contract";
import { expect, it } from "vitest";
import { json, sendJson, sendProblem, startContractServer } from "../../../test/contract-server.ts";
import type { Timer } from "../../ports/timer.ts";
import { ApiClient } from "./api-client.ts";
import { ApiError, ConnectionError } from "./api-error.ts";

/** Waits as long as it is asked to, in no time. */
function makeQuickTimer() {
  const waited: number[] = [];
  const timer: Timer = {
    after: (ms, callback) => {
      waited.push(ms);
      setImmediate(callback);
      return () => {};
    },
  };
  return { timer, waited };
}

it("asks by the contract's route, with token and query, and gives the ETag back", async () => {
  const { url, asked } = await startContractServer({
    "GET /api/v1/clusters": json({ items: [], next: null }, 200, { etag: '"7.x"' }),
  });
  const client = new ApiClient({ url: `${url}/`, token: "drv_x" });
  const query = { selector: "env=a b", phase: ["Running", "Pending"], limit: 5 };
  const { body, etag } = await client.callWithEtag(clusterRoutes.listClusters, { query });
  expect([body, etag]).toEqual([{ items: [], next: null }, '"7.x"']);
  expect(asked[0]?.url).toBe("/api/v1/clusters?selector=env%3Da%20b&phase=Running&phase=Pending&limit=5");
  expect(asked[0]?.headers.authorization).toBe("Bearer drv_x");
});

it("tells what the server refused with its code and every problem", async () => {
  const problems = [{ path: "spec.colour", code: "unknown-field", message: "No such field.", next: "Remove it." }];
  const { url } = await startContractServer({
    "POST /api/v1/clusters": (_, response) => sendProblem(response, "validation-failed", "Refused.", { problems }),
  });
  const failure = await new ApiClient({ url, token: null })
    .call(clusterRoutes.declareCluster, { body: { kind: "Cluster" } })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ code: "validation-failed", message: "Refused.", answer: { status: 422, problems } });
});

it("does as Retry-After says, and sends a POST again under the same key", async () => {
  const { timer, waited } = makeQuickTimer();
  let calls = 0;
  const { url, asked } = await startContractServer({
    "POST /api/v1/clusters": (_, response) => {
      calls += 1;
      if (calls < 3) sendProblem(response, "store-unreachable", "Down.", {}, { "retry-after": "2" });
      else sendJson(response, { cluster: "a", generation: 1, jobId: null }, 202);
    },
  });
  const told: string[] = [];
  const client = new ApiClient({ url, token: null, timer, onRetry: (why, ms) => told.push(`${why} ${ms}`) });
  expect(await client.call(clusterRoutes.declareCluster, { body: "kind: Cluster" })).toMatchObject({ cluster: "a" });
  expect(waited).toEqual([2_000, 2_000]);
  expect(told).toEqual(["Down. 2000", "Down. 2000"]);
  expect(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(asked[0]?.headers).toMatchObject({
    "content-type": "application/yaml",
    "idempotency-key": expect.any(String),
  });
});

it("gives up when the server asks for more patience than it has", async () => {
  const { timer, waited } = makeQuickTimer();
  const { url } = await startContractServer({
    "GET /api/v1/jobs": (_, response) =>
      sendProblem(response, "rate-limited", "Slow down.", {}, { "retry-after": "20" }),
  });
  const client = new ApiClient({ url, token: null, timer });
  await expect(client.call(jobRoutes.listJobs, {})).rejects.toThrow("Slow down.");
  expect(waited).toEqual([20_000]);
});

it("does not wait for a cluster that is not ready", async () => {
  const { timer, waited } = makeQuickTimer();
  const { url } = await startContractServer({
    "GET /api/v1/jobs": (_, response) => sendProblem(response, "cluster-not-ready", "It is Creating."),
  });
  await expect(new ApiClient({ url, token: null, timer }).call(jobRoutes.listJobs, {})).rejects.toThrow("Creating");
  expect(waited).toEqual([]);
});

it("sends again what can do no harm twice when the connection breaks, and nothing else", async () => {
  const { timer } = makeQuickTimer();
  let reads = 0;
  const { url, asked } = await startContractServer({
    "GET /api/v1/jobs": (_, response) => {
      reads += 1;
      if (reads === 1) response.destroy();
      else sendJson(response, { items: [], next: null });
    },
    "POST /api/v1/tokens": (_, response) => void response.destroy(),
  });
  const client = new ApiClient({ url, token: null, timer });
  expect(await client.call(jobRoutes.listJobs, {})).toEqual({ items: [], next: null });
  const body = { name: "ci", role: "viewer" } as const;
  await expect(client.call(tokenRoutes.createToken, { body })).rejects.toBeInstanceOf(ConnectionError);
  expect(asked.filter(({ method }) => method === "POST")).toHaveLength(1);
});

it("says at once when nobody listens", async () => {
  const { url, close } = await startContractServer({});
  await close();
  const failure = await new ApiClient({ url, token: null })
    .call(jobRoutes.listJobs, {})
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ refused: true, message: `No Drover answers at ${url} (ECONNREFUSED).` });
});

it("says so when the other side is no Drover", async () => {
  const { url } = await startContractServer({
    "GET /api/v1/jobs": (_, response) => void response.writeHead(502).end("<h1>Bad Gateway</h1>"),
  });
  await expect(new ApiClient({ url, token: null }).call(jobRoutes.listJobs, {})).rejects.toMatchObject({
    code: "unexpected-answer",
    message: "The server answered with 502 Bad Gateway",
  });
});

it("does not wait for ever", async () => {
  const { url } = await startContractServer({ "POST /api/v1/tokens": () => {} });
  const client = new ApiClient({ url, token: null, timeoutMs: 50 });
  const body = { name: "ci", role: "viewer" } as const;
  await expect(client.call(tokenRoutes.createToken, { body })).rejects.toThrow("did not answer in time");
});

it("looks again for its server and token when the server was restarted elsewhere", async () => {
  const old = await startContractServer({});
  await old.close();
  const { url, asked } = await startContractServer({
    "GET /api/v1/jobs": ({ headers }, response) => {
      if (headers.authorization === "Bearer drv_new") sendJson(response, { items: [], next: null });
      else sendProblem(response, "unauthenticated", "Not you.");
    },
  });
  const places = [
    { url, token: "drv_old" },
    { url, token: "drv_new" },
  ];
  let at = 0;
  const client = new ApiClient({ url: old.url, token: "drv_old", renew: () => places[at] ?? { url, token: null } });
  await expect(client.call(jobRoutes.listJobs, {})).rejects.toThrow("Not you.");
  at = 1;
  expect(await client.call(jobRoutes.listJobs, {})).toEqual({ items: [], next: null });
  expect(asked).toHaveLength(3);
});
