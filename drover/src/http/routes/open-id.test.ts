import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { testAccess } from "../../../test/access.ts";
import { openTestServer } from "../../../test/http.ts";
import { CLIENT, startOpenIdProvider } from "../../../test/open-id-provider.ts";
import { makeUser } from "../../../test/sign-in.ts";
import type { OpenIdRules } from "../../app/access/open-id.ts";
import { openIdClient } from "../open-id-client.ts";

const RULES: OpenIdRules = { roleClaim: "groups", roles: [], defaultRole: "viewer", allowedDomains: [] };

async function open(rules: Partial<OpenIdRules> = {}) {
  const provider = await startOpenIdProvider();
  const client = openIdClient({ issuer: provider.issuer, ...CLIENT, scopes: "openid profile email" });
  const test = await openTestServer({
    access: testAccess({ openId: { provider: client, rules: { ...RULES, ...rules } } }),
  });
  onTestFinished(test.dispose);
  const get = async (url: string, cookie = "", headers: Record<string, string> = {}) => {
    const answer = await test.server.inject({ url, headers: { host: "localhost:8420", cookie, ...headers } });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  };
  const cookiesOf = (header: unknown): string =>
    [header]
      .flat()
      .map((line) => String(line).split(";", 1)[0])
      .filter((pair) => !pair?.endsWith("="))
      .join("; ");
  /** To the provider, and up to its door with the code in hand. */
  const leave = async (returnTo?: string) => {
    const query = returnTo === undefined ? "" : `?returnTo=${encodeURIComponent(returnTo)}`;
    const start = await get(`/api/v1/login/oidc${query}`);
    expect(start.status).toBe(302);
    const asked = new URL(String(start.headers.location));
    const back = await fetch(asked, { redirect: "manual" });
    return {
      asked,
      cookie: cookiesOf(start.headers["set-cookie"]),
      setCookie: start.headers["set-cookie"],
      back: new URL(back.headers.get("location") ?? ""),
    };
  };
  const signIn = async (returnTo?: string) => {
    const { cookie, back } = await leave(returnTo);
    const end = await get(`${back.pathname}${back.search}`, cookie);
    return { ...end, session: cookiesOf(end.headers["set-cookie"]) };
  };
  const whoIs = async (session: string) => {
    const { status, body } = await get("/api/v1/me", session);
    return status === 200 ? (JSON.parse(body) as { user: Record<string, unknown> }).user : null;
  };
  return { ...test, provider, get, leave, signIn, whoIs };
}

describe("signing in through an OpenID provider", () => {
  let test: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    test = await open();
  });

  it("goes there and back with PKCE, nonce and state, and makes a user at the first time", async () => {
    test.provider.claims = { sub: "42", preferred_username: "Zoe M.", name: "Zoë", groups: ["dev"] };
    const { asked, setCookie } = await test.leave();
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      ...{ response_type: "code", client_id: "drover", scope: "openid profile email", code_challenge_method: "S256" },
      redirect_uri: "http://localhost:8420/api/v1/login/oidc/callback",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(setCookie).toMatch(/^drover_openid=.*; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    const { status, headers, session } = await test.signIn("/clusters/dev");
    expect([status, headers.location, headers["cache-control"]]).toEqual([302, "/clusters/dev", "no-store"]);
    expect(await test.whoIs(session)).toMatchObject({
      ...{ name: "zoe-m.", displayName: "Zoë", role: "viewer", external: true },
    });
    const again = await test.signIn();
    expect((await test.whoIs(again.session))?.["id"]).toBe((await test.whoIs(session))?.["id"]);
    const actions = (await test.store.read.listAudit({ limit: 3 })).map(({ action, body }) => [action, body]);
    expect(actions[0]).toEqual(["session.create", { by: "openid" }]);
  });

  it("does not take over a user of the same name", async () => {
    await makeUser(test, "zoe", "admin");
    test.provider.claims = { sub: "42", preferred_username: "zoe" };
    expect(await test.whoIs((await test.signIn()).session)).toMatchObject({ name: "zoe-2", role: "viewer" });
    test.provider.claims = { sub: "43", preferred_username: "zoe" };
    expect(await test.whoIs((await test.signIn()).session)).toMatchObject({ name: "zoe-3" });
  });

  it("makes one user of two windows that come back at once", async () => {
    test.provider.claims = { sub: "42", preferred_username: "zoe" };
    const ends = await Promise.all([test.signIn(), test.signIn(), test.signIn()]);
    const ids = await Promise.all(ends.map(async ({ session }) => (await test.whoIs(session))?.["id"]));
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toBeDefined();
  });

  it.each(["nonce", "key", "issuer", "audience", "expired"] as const)(
    "refuses an identity with a wrong %s",
    async (cheat) => {
      test.provider.cheat = cheat;
      const { status, body, session } = await test.signIn();
      expect([status, JSON.parse(body)]).toMatchObject([401, { code: "login-failed" }]);
      expect(session).toBe("");
      expect(await test.store.access.listUsers()).toHaveLength(1);
      expect((await test.store.read.listAudit({ limit: 1 }))[0]).toMatchObject({ action: "session.refuse" });
    },
  );

  it("refuses whoever did not begin here, changes the state, or comes twice", async () => {
    const { back, cookie } = await test.leave();
    const url = `${back.pathname}${back.search}`;
    expect((await test.get(url)).status).toBe(401);
    expect((await test.get(url, "drover_openid=e30")).status).toBe(401);
    expect((await test.get(url, "drover_openid=%00")).status).toBe(401);
    const other = await test.leave();
    expect((await test.get(url, other.cookie)).status).toBe(401);
    expect(test.provider.turnedIn).toEqual([]);
    expect((await test.get(url, cookie)).status).toBe(302);
    expect((await test.get(url, cookie)).status).toBe(401);
  });

  it("leads a browser back to the page, with the reason", async () => {
    const { status, headers } = await test.get("/api/v1/login/oidc/callback?state=x", "", { accept: "text/html,*/*" });
    expect([status, headers.location]).toEqual([302, "/login?error=login-failed"]);
  });

  it("returns to places on this site only", async () => {
    expect((await test.signIn("https://evil.example/")).headers.location).toBe("/");
    expect((await test.signIn("//evil.example")).headers.location).toBe("/");
  });

  it("is slowed down for an address from which it fails again and again", async () => {
    test.provider.cheat = "key";
    const statuses: number[] = [];
    for (let index = 0; index < 33; index++) statuses.push((await test.signIn()).status);
    expect(statuses.slice(0, 31)).toEqual(Array.from({ length: 31 }, () => 401));
    expect(statuses.slice(31)).toContain(429);
    const refusals = (await test.store.read.listAudit({ limit: 100 })).filter(
      ({ action }) => action === "session.refuse",
    );
    expect(refusals).toHaveLength(statuses.filter((status) => status === 401).length);
  });

  it("is all that an external user has: there is no password to set", async () => {
    const { session } = await test.signIn();
    const id = (await test.whoIs(session))?.["id"];
    const password = "correct horse battery";
    expect((await test.ask("PATCH", `/api/v1/users/${id}`, { body: { password } })).status).toBe(403);
    const own = { password: { current: "", next: password } };
    const changed = await test.ask("PATCH", "/api/v1/me", { as: null, headers: { cookie: session }, body: own });
    expect(changed.status).toBe(403);
  });

  it("is refused to a disabled user", async () => {
    const { session } = await test.signIn();
    const id = (await test.whoIs(session))?.["id"];
    await test.ask("PATCH", `/api/v1/users/${id}`, { body: { disabled: true } });
    expect(await test.whoIs(session)).toBeNull();
    expect((await test.signIn()).status).toBe(401);
  });
});

describe("roles from the provider", () => {
  const roles = [
    { role: "viewer", group: "everyone" },
    { role: "admin", group: "platform" },
  ] as const;

  it("are the strongest that a group gives, and follow it", async () => {
    const test = await open({ roles, defaultRole: null });
    await makeUser(test, "root", "admin");
    test.provider.claims = { sub: "42", groups: ["everyone", "platform"] };
    const { session } = await test.signIn();
    expect(await test.whoIs(session)).toMatchObject({ role: "admin" });
    test.provider.claims = { sub: "42", groups: ["everyone"] };
    const later = await test.signIn();
    expect(await test.whoIs(later.session)).toMatchObject({ role: "viewer" });
    expect(await test.whoIs(session)).toBeNull();
    test.provider.claims = { sub: "42", groups: ["others"] };
    expect((await test.signIn()).status).toBe(401);
    test.provider.claims = { sub: "42", groups: { "0": "platform" } };
    expect((await test.signIn()).status).toBe(401);
  });

  it("may be within another claim", async () => {
    const test = await open({ roles, roleClaim: "realm_access.roles", defaultRole: null });
    test.provider.claims = { sub: "42", realm_access: { roles: ["everyone"] } };
    expect(await test.whoIs((await test.signIn()).session)).toMatchObject({ role: "viewer" });
    test.provider.claims = { sub: "43", realm_access: null };
    expect((await test.signIn()).status).toBe(401);
  });

  it("are given to verified mail addresses of allowed domains only", async () => {
    const test = await open({ allowedDomains: ["example.org"] });
    const statusOf = async (claims: object) => {
      test.provider.claims = { sub: "42", ...claims };
      return (await test.signIn()).status;
    };
    expect(await statusOf({ email: "zoe@example.org" })).toBe(401);
    expect(await statusOf({ email: "zoe@example.org", email_verified: false })).toBe(401);
    expect(await statusOf({ email: "zoe@evil.example", email_verified: true })).toBe(401);
    expect(await statusOf({ email: "zoe@example.org@evil.example", email_verified: true })).toBe(401);
    expect(await statusOf({ email_verified: true })).toBe(401);
    expect(await statusOf({ email: "zoe@EXAMPLE.org", email_verified: true })).toBe(302);
  });
});

describe("without a provider", () => {
  it("says so, and which ways there are", async () => {
    const test = await openTestServer();
    onTestFinished(test.dispose);
    const answer = await test.ask("GET", "/api/v1/login/oidc", { as: null });
    expect([answer.status, answer.json["code"]]).toEqual([404, "openid-not-configured"]);
    expect((await test.ask("GET", "/api/v1/login", { as: null })).json).toEqual({ password: true, openId: false });
    expect((await test.ask("GET", "/api/v1/login/oidc?returnTo=/&x=1", { as: null })).status).toBe(400);
  });

  it("answers 503 while it does not answer, and asks it again next time", async () => {
    const test = await open();
    const { issuer } = test.provider;
    const gone = openIdClient({ issuer: "http://127.0.0.1:1", ...CLIENT, scopes: "openid" });
    await expect(gone.begin("http://localhost/")).rejects.toThrow();
    await expect(gone.begin("http://localhost/")).rejects.toThrow();
    const plain = openIdClient({
      issuer: issuer.replace("127.0.0.1", "localhost.localdomain"),
      ...CLIENT,
      scopes: "openid",
    });
    await expect(plain.begin("http://localhost/")).rejects.toThrow(/HTTPS|https/);
    const down = await openTestServer({ access: testAccess({ openId: { provider: gone, rules: RULES } }) });
    onTestFinished(down.dispose);
    expect((await down.ask("GET", "/api/v1/login/oidc", { as: null })).json).toMatchObject({
      code: "openid-unreachable",
    });
  });
});
