import { describe, expect, it, onTestFinished } from "vitest";
import { testAccess } from "../../test/access.ts";
import { openTestServer } from "../../test/http.ts";
import { makeUser, signInAs } from "../../test/sign-in.ts";

async function open(publicUrl: string | null = null) {
  const test = await openTestServer({ access: testAccess({ publicUrl }), allowedHosts: ["drover.example.org"] });
  onTestFinished(test.dispose);
  await makeUser(test, "zoe", "admin");
  const cookie = await signInAs(test, "zoe");
  return async (headers: Record<string, string>, method: "GET" | "POST" = "POST") => {
    const { statusCode } = await test.server.inject({
      ...{ method, url: method === "GET" ? "/api/v1/users" : "/api/v1/tokens" },
      headers: { host: "localhost:8420", "content-type": "application/json", cookie, ...headers },
      ...(method === "GET" ? {} : { payload: { name: "t", role: "viewer" } }),
    });
    return statusCode;
  };
}

describe("requests of a browser", () => {
  const ask = async (...request: Parameters<Awaited<ReturnType<typeof open>>>) => await (await open())(...request);

  it.each([
    "https://evil.example",
    "http://localhost.evil.example:8420",
    "http://localhost:9999",
    "http://127.0.0.1:8420",
    "null",
    "",
    "file://",
    "localhost:8420",
  ])("are refused when they come from %j", async (origin) => {
    expect(await ask({ origin })).toBe(403);
    expect(await ask({ origin }, "GET")).toBe(403);
  });

  it("are refused when another site loads them as part of its page", async () => {
    expect(await ask({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }, "GET")).toBe(403);
  });

  it("are let in from Drover's own page, and from programs that are no browsers", async () => {
    expect(await ask({ origin: "http://localhost:8420" })).toBe(201);
    expect(await ask({})).toBe(201);
    expect(await ask({ "sec-fetch-site": "same-origin" }, "GET")).toBe(200);
  });

  it("are let in from the public address, whatever name the proxy uses", async () => {
    const behindProxy = await open("https://drover.example.org");
    expect(await behindProxy({ origin: "https://drover.example.org" })).toBe(201);
    expect(await behindProxy({ origin: "https://evil.example" })).toBe(403);
  });
});
