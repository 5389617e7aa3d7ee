import { describe, expect, it } from "vitest";
import { readLinkToken, readSession, signIn } from "./session.ts";

const answering = (answers: Readonly<Record<string, { status: number; body?: unknown; headers?: HeadersInit }>>) =>
  (async (path: string) => {
    const { status, body, headers } = answers[path] ?? { status: 404 };
    return new Response(JSON.stringify(body ?? {}), { status, ...(headers === undefined ? {} : { headers }) });
  }) as typeof fetch;

describe("the session", () => {
  it("is somebody's, with a word on the fleet", async () => {
    const ask = answering({
      "/api/v1/me": { status: 200, body: { user: { displayName: "Ada", role: "admin" } } },
      "/api/v1/cluster-counts": { status: 200, body: { phases: { Running: 3 } } },
    });
    expect(await readSession(ask)).toEqual({ kind: "signed-in", name: "Ada", role: "admin", phases: { Running: 3 } });
  });

  it("is nobody's, or cannot be told", async () => {
    const out = answering({ "/api/v1/me": { status: 401 }, "/api/v1/login": { status: 200, body: { openId: true } } });
    expect(await readSession(out)).toEqual({ kind: "signed-out", openId: true });
    expect(await readSession(answering({ "/api/v1/me": { status: 503 } }))).toEqual({ kind: "unknown" });
    expect(await readSession((async () => Promise.reject(new TypeError())) as typeof fetch)).toEqual({
      kind: "unknown",
    });
  });

  it("begins with a password or a link, and says why it does not", async () => {
    expect(await signIn({ token: "t" }, answering({ "/api/v1/login/link": { status: 200 } }))).toBeNull();
    const throttled = { status: 429, body: { code: "rate-limited" }, headers: { "retry-after": "8" } };
    expect(await signIn({ name: "a", password: "b" }, answering({ "/api/v1/login": throttled }))).toEqual({
      code: "rate-limited",
      retryAfterSeconds: 8,
    });
  });

  it("finds the token of a link only where a link has it", () => {
    expect(readLinkToken("#token=abcdefghijklmnop-_")).toBe("abcdefghijklmnop-_");
    for (const hash of ["", "#", "#token=", "#token=short", "#token=abcdefghijklmnop&x=1"]) {
      expect(readLinkToken(hash), hash).toBeNull();
    }
  });
});
