import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DroverError, type RouteTable } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { testAccess } from "../../test/access.ts";
import { openTestApp } from "../../test/app.ts";
import { mountRoutes } from "./mount-routes.ts";
import { buildServer, type ServerParts } from "./server.ts";

const webDir = mkdtempSync(join(tmpdir(), "drover-web-"));
mkdirSync(join(webDir, "assets"));
writeFileSync(join(webDir, "index.html"), "<!doctype html><title>the page</title>");
writeFileSync(join(webDir, "icon.svg"), "<svg/>");
writeFileSync(join(webDir, "assets/app-1a2b.js"), "export {};");
writeFileSync(join(webDir, ".source-hash"), "hidden");
afterAll(() => rmSync(webDir, { recursive: true }));

const test = await openTestApp();
afterAll(() => test.dispose());

const open: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

async function build(parts: Partial<ServerParts> = {}, extend: (app: FastifyInstance) => void = () => {}) {
  const app = await buildServer({
    log: pino({ level: "silent" }),
    version: "1.2.3",
    ready: async () => ({ ok: true }),
    listenHost: "127.0.0.1",
    allowedHosts: [],
    webDir,
    options: [],
    app: test.app,
    access: testAccess(),
    ...parts,
  });
  extend(app);
  open.push(app);
  return app;
}

const HTML = { accept: "text/html,application/xhtml+xml", host: "localhost:8420" };
const JSON_ONLY = { accept: "application/json", host: "localhost:8420" };

describe("the page", () => {
  it("is served at the root and for every address that a browser navigates to", async () => {
    const app = await build();
    for (const url of ["/", "/clusters/dev-12", "/clusters/eu.dev-1", "/jobs/7?step=etcd"]) {
      const answer = await app.inject({ url, headers: HTML });
      expect(answer.statusCode, url).toBe(200);
      expect(answer.headers["content-type"], url).toMatch(/^text\/html/);
      expect(answer.headers["cache-control"], url).toBe("no-cache");
      expect(answer.body, url).toContain("the page");
    }
  });

  it("is served at the root to whoever asks", async () => {
    const app = await build();
    for (const accept of ["*/*", "application/json"]) {
      expect((await app.inject({ url: "/", headers: { host: "localhost", accept } })).body).toContain("the page");
    }
  });

  it("keeps hashed files for good, and asks again for others", async () => {
    const app = await build();
    const script = await app.inject({ url: "/assets/app-1a2b.js", headers: JSON_ONLY });
    expect(script.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(script.headers["content-type"]).toMatch(/javascript/);
    const icon = await app.inject({ url: "/icon.svg", headers: JSON_ONLY });
    expect([icon.statusCode, icon.headers["cache-control"]]).toEqual([200, "no-cache"]);
    const again = await app.inject({ url: "/icon.svg", headers: { ...JSON_ONLY, "if-none-match": icon.headers.etag } });
    expect(again.statusCode).toBe(304);
  });

  it("comes compressed to those who take it", async () => {
    const app = await build();
    writeFileSync(join(webDir, "assets/app-1a2b.js.br"), "compressed");
    const ask = (encoding: string) =>
      app.inject({ url: "/assets/app-1a2b.js", headers: { ...JSON_ONLY, "accept-encoding": encoding } });
    const small = await ask("gzip, br");
    expect(small).toMatchObject({ statusCode: 200, body: "compressed" });
    expect(small.headers).toMatchObject({
      "content-encoding": "br",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect(small.headers["content-type"]).toMatch(/javascript/);
    expect(small.headers.vary).toMatch(/accept-encoding/i);
    expect((await ask("gzip")).body).toBe("export {};");
  });

  it("is the new one as a whole after a new build", async () => {
    const app = await build();
    writeFileSync(join(webDir, "assets/app-3c4d.js"), "export {};");
    expect((await app.inject({ url: "/assets/app-3c4d.js", headers: JSON_ONLY })).statusCode).toBe(200);
  });

  it.each([
    ["a program asks", "/clusters", JSON_ONLY],
    ["a script asks", "/clusters", { ...HTML, "sec-fetch-mode": "cors" }],
    ["a file is missing", "/assets/app-old.js", HTML],
    ["the API has no such route", "/api/v1/nothing", HTML],
    ["the address is the API itself", "/api", HTML],
    ["a hidden file is asked for", "/.source-hash", HTML],
  ])("does not stand in when %s", async (_, url, headers) => {
    const app = await build();
    const answer = await app.inject({ url, headers });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ status: 404, code: "route-not-found" });
  });

  it.each([
    "/../package.json",
    "/%2e%2e/package.json",
    "/assets/..%2f..%2fetc/passwd",
    "/assets/%2e%2e%5c%2e%2e%5cetc/passwd",
    "/%00",
    "/assets/",
    "//etc/passwd",
  ])("serves nothing outside its folder: %s", async (url) => {
    const app = await build();
    const answer = await app.inject({ url, headers: JSON_ONLY });
    expect([400, 404]).toContain(answer.statusCode);
  });

  it("is not needed for the API", async () => {
    const app = await build({ webDir: undefined });
    expect((await app.inject({ url: "/healthz", headers: HTML })).statusCode).toBe(200);
    expect((await app.inject({ url: "/", headers: HTML })).statusCode).toBe(404);
  });
});

describe("every answer", () => {
  it.each(["/", "/healthz", "/api/v1/version", "/api/nothing", "/%ff"])(
    "forbids what a page does not need: %s",
    async (url) => {
      const app = await build();
      const { headers } = await app.inject({ url, headers: HTML });
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
      });
      expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers).not.toHaveProperty("x-powered-by");
    },
  );

  it("names its own request, whatever the client calls it", async () => {
    const app = await build();
    const answer = await app.inject({ url: "/api/x", headers: { ...JSON_ONLY, "x-request-id": "forged\u0009" } });
    expect(answer.json().requestId).toBe(answer.headers["x-request-id"]);
    expect(answer.json().requestId).not.toContain("forged");
  });
});

describe("health", () => {
  it("is alive and ready, and tells its version", async () => {
    const app = await build();
    const ask = async (url: string) => {
      const answer = await app.inject({ url, headers: JSON_ONLY });
      expect(answer.headers["cache-control"]).toBe("no-store");
      return [answer.statusCode, answer.json()];
    };
    expect(await ask("/healthz")).toEqual([200, { status: "alive" }]);
    expect(await ask("/readyz")).toEqual([200, { status: "ready" }]);
    expect(await ask("/api/v1/version")).toEqual([200, { name: "drover", version: "1.2.3" }]);
  });

  it("stays alive but is not ready while the store does not answer", async () => {
    const notReady = await build({ ready: async () => ({ ok: false, detail: "the store is locked" }) });
    const answer = await notReady.inject({ url: "/readyz", headers: JSON_ONLY });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ code: "store-unreachable", detail: "the store is locked", retryable: true });
    const failing = await build({ ready: () => Promise.reject(new Error("connection refused")) });
    expect((await failing.inject({ url: "/readyz", headers: JSON_ONLY })).statusCode).toBe(503);
    expect((await failing.inject({ url: "/healthz", headers: JSON_ONLY })).statusCode).toBe(200);
  });
});

describe("names", () => {
  const ask = async (host: string, parts: Partial<ServerParts> = {}) => {
    const app = await build(parts);
    return (await app.inject({ url: "/healthz", headers: { host } })).statusCode;
  };

  it.each(["localhost", "localhost:8420", "LOCALHOST", "127.0.0.1:8420", "127.1.2.3", "[::1]:8420"])(
    "answers under %s on loopback",
    async (host) => {
      expect(await ask(host)).toBe(200);
    },
  );

  it.each([
    "evil.example:8420",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "10.0.0.1",
    "[::2]",
    "a b",
    "127.1",
  ])("refuses %s on loopback", async (host) => {
    expect(await ask(host)).toBe(421);
  });

  it("answers under names that were allowed, and under any name elsewhere than on loopback", async () => {
    expect(await ask("drover.example.org", { allowedHosts: ["drover.example.org"] })).toBe(200);
    expect(await ask("drover.example.org", { listenHost: "0.0.0.0" })).toBe(200);
    expect(await ask("evil.example", { listenHost: "::1" })).toBe(421);
  });

  it("refuses a request without any name", async () => {
    const app = await build();
    const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
    const status = await new Promise((resolve, reject) => {
      httpRequest({ host: "127.0.0.1", port, path: "/healthz", setHost: false }, (answer) => resolve(answer.statusCode))
        .on("error", reject)
        .end();
    });
    expect([400, 421]).toContain(status);
  });
});

const FAILING = {
  fail: {
    method: "POST",
    path: "/api/v1/fail",
    summary: "Fails.",
    access: "public",
    body: z.looseObject({}),
    success: 200,
    response: z.strictObject({}),
    errors: [],
  },
} as const satisfies RouteTable;

describe("errors", () => {
  const fail = (error: unknown) =>
    build({}, (app) => {
      mountRoutes(app, FAILING, {
        fail: () => {
          throw error;
        },
      });
    });
  const post = {
    method: "POST",
    url: "/api/v1/fail",
    headers: { ...JSON_ONLY, "content-type": "application/json" },
  } as const;

  it("tells a user what is meant for users", async () => {
    const app = await fail(new DroverError("cluster-exists", "dev-12 exists", { details: { generation: 3 } }));
    const answer = await app.inject({ ...post, payload: {} });
    expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      409,
      {
        type: "urn:drover:error:cluster-exists",
        status: 409,
        code: "cluster-exists",
        detail: "dev-12 exists",
        generation: 3,
      },
    ]);
  });

  it("keeps the text of a bug to itself", async () => {
    const app = await fail(new Error("password is hunter2"));
    const answer = await app.inject({ ...post, payload: {} });
    expect(answer.json()).toMatchObject({ status: 500, code: "internal-error" });
    expect(answer.body).not.toContain("hunter2");
  });

  it.each([
    ["broken JSON", "{", 400, "request-invalid"],
    ["a prototype key", '{"__proto__":{"a":1}}', 400, "request-invalid"],
    ["a constructor key", '{"constructor":{"prototype":{"a":1}}}', 400, "request-invalid"],
    ["a key that is there twice", '{"a":1,"a":2}', 400, "request-invalid"],
    ["a zero character", '{"a":"\\u0000"}', 400, "request-invalid"],
    ["a hundred levels", `{"a":${"[".repeat(100)}${"]".repeat(100)}}`, 400, "request-invalid"],
    ["more than a megabyte", JSON.stringify("x".repeat(1_100_000)), 413, "document-too-large"],
  ])("refuses %s", async (_, payload, status, code) => {
    const app = await fail(new Error("must not be reached"));
    const answer = await app.inject({ ...post, payload });
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });

  it("refuses a type that it does not read", async () => {
    const app = await fail(new Error("must not be reached"));
    const headers = { ...JSON_ONLY, "content-type": "application/xml" };
    const answer = await app.inject({ ...post, headers, payload: "<a/>" });
    expect([answer.statusCode, answer.json().code]).toEqual([415, "media-type-unsupported"]);
  });

  it("answers a wrong method under the API with a problem", async () => {
    const app = await build();
    const answer = await app.inject({ method: "DELETE", url: "/api/v1/version", headers: JSON_ONLY });
    expect([answer.statusCode, answer.json().code]).toEqual([405, "method-not-allowed"]);
    expect(answer.headers.allow).toBe("GET, HEAD");
  });
});
