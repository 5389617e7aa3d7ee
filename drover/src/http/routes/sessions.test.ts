import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { testAccess } from "../../../test/access.ts";
import { openTestServer } from "../../../test/http.ts";
import { GOOD_PASSWORD, makeUser, readCookie, signInAs } from "../../../test/sign-in.ts";
import { waitUntil } from "../../../test/wait-for.ts";
import { makeLoginLink } from "../../app/access/login-link.ts";
import type { Actor } from "../../ports/store/index.ts";
import type { ServerParts } from "../server.ts";

const SYSTEM: Actor = { type: "system", name: "test" };

async function open(parts: Partial<ServerParts> = {}) {
  const test = await openTestServer(parts);
  onTestFinished(test.dispose);
  const { ask, server } = test;
  const get = (url: string, cookie: string) => ask("GET", url, { as: null, headers: { cookie } });
  const login = (name: string, password: string) =>
    ask("POST", "/api/v1/login", { as: null, body: { name, password } });
  const inject = (options: { headers?: Record<string, string>; remoteAddress?: string; body: object; url?: string }) =>
    server.inject({
      ...{ method: "POST", url: options.url ?? "/api/v1/login" },
      ...(options.remoteAddress === undefined ? {} : { remoteAddress: options.remoteAddress }),
      headers: { host: "localhost", "content-type": "application/json", ...options.headers },
      payload: JSON.stringify(options.body),
    });
  const audit = async () =>
    (await test.store.read.listAudit({ limit: 50 })).map(({ action, actor, objectName }) => ({
      ...{ action, objectName },
      who: `${actor.name}@${actor.address}`,
    }));
  return { ...test, get, login, inject, audit };
}

let test: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  test = await open();
});

describe("signing in by password", () => {
  it("gives a cookie that no script and no other site can use, and lets in with it", async () => {
    await makeUser(test, "zoe");
    const answer = await test.login(" Zoe ", GOOD_PASSWORD);
    expect([answer.status, answer.json]).toMatchObject([200, { name: "zoe", role: "operator", external: false }]);
    expect(answer.headers["set-cookie"]).toMatch(
      /^drover_session=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.text).not.toContain("argon2");
    const cookie = readCookie(answer.headers["set-cookie"]);
    expect((await test.get("/api/v1/me", cookie)).json).toMatchObject({ user: { name: "zoe" }, preferences: {} });
    const [entry] = await test.audit();
    expect(entry).toMatchObject({ action: "session.create", who: "zoe@127.0.0.1" });
  });

  it("keeps no secret in the store", async () => {
    await makeUser(test, "zoe");
    const cookie = await signInAs(test, "zoe");
    const [, secret = ""] = cookie.split("=");
    const dump = JSON.stringify([
      await test.store.access.listUsers(),
      await test.store.access.listSessions((await test.store.access.findUser({ name: "zoe" }))?.id ?? ""),
      await test.store.read.listAudit({ limit: 50 }),
    ]);
    expect(dump).not.toContain(secret);
    expect(dump).not.toContain(GOOD_PASSWORD);
  });

  it("gives a cookie for TLS only where people come by TLS", async () => {
    const access = testAccess({ publicUrl: "https://drover.example.org" });
    const tls = await open({ access, allowedHosts: ["drover.example.org"] });
    await makeUser(tls, "zoe");
    const body = { name: "zoe", password: GOOD_PASSWORD };
    const answer = await tls.inject({ headers: { host: "drover.example.org" }, body });
    expect(answer.headers["set-cookie"]).toMatch(
      /^__Host-drover_session=[\w-]+;.* Path=\/; HttpOnly; Secure; SameSite=Strict/,
    );
    const cookie = readCookie(answer.headers["set-cookie"]);
    const ask = (host: string, sent: string) =>
      tls.server.inject({ url: "/api/v1/me", headers: { host, cookie: sent } }).then(({ statusCode }) => statusCode);
    expect(await ask("drover.example.org", cookie)).toBe(200);
    // A cookie without the prefix may have been set by somebody in between.
    expect(await ask("drover.example.org", cookie.replace("__Host-", ""))).toBe(401);
    expect(await ask("localhost", cookie.replace("__Host-", ""))).toBe(200);
  });

  it.each([
    ["an unknown name", "nobody", GOOD_PASSWORD],
    ["a wrong password", "zoe", "wrong horse battery"],
    ["a disabled user", "gone", GOOD_PASSWORD],
    ["a user without password", "tester", GOOD_PASSWORD],
    ["a name that is none", "'; drop table users; --", GOOD_PASSWORD],
  ])("answers %s like every other failure", async (_, name, password) => {
    await makeUser(test, "zoe");
    const gone = await makeUser(test, "gone");
    await test.ask("PATCH", `/api/v1/users/${gone.id}`, { body: { disabled: true } });
    const answer = await test.login(name, password);
    const { requestId: _requestId, ...problem } = answer.json;
    expect([answer.status, problem]).toEqual([
      401,
      expect.objectContaining({ code: "login-failed", detail: "User name and password do not fit." }),
    ]);
    expect(answer.headers["set-cookie"]).toBeUndefined();
    const [entry] = await test.audit();
    expect(entry).toMatchObject({ action: "session.refuse" });
    const audited = JSON.stringify(await test.store.read.listAudit({ limit: 50 }));
    expect(audited).not.toContain("drop table");
    expect(audited).not.toContain("horse");
  });

  it("does the same work for a user who is not there", async () => {
    const verified: (string | null)[] = [];
    const passwords = {
      hash: async () => "hash",
      verify: async (hash: string | null) => {
        verified.push(hash);
        return false;
      },
    };
    const other = await open({ access: testAccess({ passwords }) });
    await makeUser(other, "zoe");
    await other.login("zoe", "x");
    await other.login("nobody", "x");
    expect(verified).toEqual(["hash", null]);
  });

  it.each([
    [{}, 400],
    [{ name: "zoe" }, 400],
    [{ name: "zoe", password: "" }, 400],
    [{ name: "zoe", password: "x".repeat(2_000) }, 400],
    [{ name: { $ne: "" }, password: "x" }, 400],
    [{ name: "zoe", password: ["x"] }, 400],
    [{ name: "z\0e", password: "x" }, 400],
    [{ name: "zoe", password: "x", role: "admin" }, 400],
  ])("refuses the body %j", async (body, status) => {
    expect((await test.ask("POST", "/api/v1/login", { as: null, body })).status).toBe(status);
  });

  it("is refused to the page of another site", async () => {
    await makeUser(test, "zoe");
    const body = { name: "zoe", password: GOOD_PASSWORD };
    for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"]) {
      const answer = await test.inject({ headers: { origin }, body });
      expect([answer.statusCode, answer.json().code]).toEqual([403, "origin-refused"]);
    }
    expect((await test.inject({ headers: { origin: "http://localhost" }, body })).statusCode).toBe(200);
  });
});

describe("a proxy in front", () => {
  const headers = { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https" };
  const body = { name: "zoe", password: GOOD_PASSWORD };

  it("is believed whom it speaks for when it is trusted", async () => {
    const trusting = await open({ access: testAccess({ trustedProxies: ["127.0.0.1"] }) });
    await makeUser(trusting, "zoe");
    const answer = await trusting.inject({ headers, body });
    expect(answer.headers["set-cookie"]).toMatch(/^__Host-.*Secure/);
    expect((await trusting.audit())[0]).toMatchObject({ who: "zoe@203.0.113.9" });
  });

  it("is not believed otherwise", async () => {
    await makeUser(test, "zoe");
    const answer = await test.inject({ headers, body });
    expect(answer.headers["set-cookie"]).not.toContain("Secure");
    expect((await test.audit())[0]).toMatchObject({ who: "zoe@127.0.0.1" });
  });
});

describe("throttling", () => {
  it("holds under 1,000 tries, keeps out the right password too, and nobody else", async () => {
    await makeUser(test, "zoe");
    await makeUser(test, "bob");
    const statuses = new Map<number, number>();
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => test.login("zoe", `guess ${round} ${index}`)),
      );
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses.keys()].sort()).toEqual([401, 429]);
    expect(statuses.get(401)).toBeLessThan(15);
    const right = await test.login("zoe", GOOD_PASSWORD);
    expect([right.status, right.json]).toMatchObject([429, { code: "rate-limited" }]);
    expect(Number(right.headers["retry-after"])).toBeGreaterThan(0);
    expect((await test.login("bob", GOOD_PASSWORD)).status).toBe(200);
    const refusals = (await test.store.read.listAudit({ limit: 500 })).filter(
      ({ action }) => action === "session.refuse",
    );
    expect(refusals.length).toBe(statuses.get(401));
  });

  it("slows down who tries many names from one address, not who is at home there nor who is elsewhere", async () => {
    await makeUser(test, "zoe");
    await makeUser(test, "new");
    const at = (remoteAddress: string, name: string, password: string) =>
      test.inject({ remoteAddress, body: { name, password } }).then(({ statusCode }) => statusCode);
    expect(await at("203.0.113.7", "zoe", GOOD_PASSWORD)).toBe(200);
    for (let index = 0; index < 40; index++) await at("203.0.113.7", `name-${index}`, "a guess");
    expect(await at("203.0.113.7", "name-99", "a guess")).toBe(429);
    expect(await at("203.0.113.7", "new", GOOD_PASSWORD)).toBe(429);
    expect(await at("203.0.113.7", "zoe", GOOD_PASSWORD)).toBe(200);
    expect(await at("203.0.113.8", "new", GOOD_PASSWORD)).toBe(200);
  });

  it("forgets the mistakes of who then knew the password", async () => {
    await makeUser(test, "zoe");
    for (let round = 0; round < 5; round++) {
      for (let index = 0; index < 4; index++) expect((await test.login("zoe", "a guess")).status).toBe(401);
      expect((await test.login("zoe", GOOD_PASSWORD)).status).toBe(200);
    }
  });

  it("counts guesses of one's own password as well", async () => {
    await makeUser(test, "zoe");
    const cookie = await signInAs(test, "zoe");
    const guess = () =>
      test.ask("PATCH", "/api/v1/me", {
        ...{ as: null, headers: { cookie } },
        body: { password: { current: "a guess", next: "another horse battery" } },
      });
    const statuses: number[] = [];
    for (let index = 0; index < 8; index++) statuses.push((await guess()).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
  });
});

describe("login links", () => {
  const linkToken = async () => {
    const link = await makeLoginLink(test.store.access, SYSTEM, "http://127.0.0.1:8420/");
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:8420\/login#token=[\w-]{43}$/);
    return link.split("=")[1] ?? "";
  };
  const use = (token: string, remoteAddress = "127.0.0.1") =>
    test.inject({ url: "/api/v1/login/link", remoteAddress, body: { token } });

  it("let in an administrator once, of two browsers one", async () => {
    const token = await linkToken();
    const answers = await Promise.all([use(token), use(token)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
    const winner = answers.find(({ statusCode }) => statusCode === 200);
    expect(winner?.json()).toMatchObject({ name: "admin", role: "admin" });
    const me = await test.get("/api/v1/me", readCookie(winner?.headers["set-cookie"]));
    expect(me.json).toMatchObject({ user: { name: "admin" } });
    expect((await use(token)).statusCode).toBe(401);
  });

  it("work on the machine itself only", async () => {
    const token = await linkToken();
    expect((await use(token, "203.0.113.7")).statusCode).toBe(401);
    expect((await use(token, "::ffff:127.0.0.1")).statusCode).toBe(200);
  });

  it("are refused when they were never made", async () => {
    expect((await use("x".repeat(43))).json()).toMatchObject({ code: "login-failed" });
    expect((await use("short")).statusCode).toBe(400);
  });
});

describe("sessions", () => {
  it("are listed, and end at once when revoked, by oneself only", async () => {
    await makeUser(test, "zoe");
    await makeUser(test, "bob");
    const [one, other] = [await signInAs(test, "zoe"), await signInAs(test, "zoe")];
    const bob = await signInAs(test, "bob");
    const { items } = (await test.get("/api/v1/sessions", one)).json as unknown as {
      items: { id: string; current: boolean; address: string }[];
    };
    expect(items).toMatchObject([
      { current: false, address: "127.0.0.1" },
      { current: true, address: "127.0.0.1" },
    ]);
    const revoke = (cookie: string, id = items[0]?.id) =>
      test.ask("DELETE", `/api/v1/sessions/${id}`, { as: null, headers: { cookie } });
    expect((await revoke(bob)).json).toMatchObject({ code: "session-not-found" });
    expect((await revoke(one)).status).toBe(204);
    expect((await test.get("/api/v1/me", other)).status).toBe(401);
    expect((await test.get("/api/v1/me", one)).status).toBe(200);
    expect((await revoke(one)).status).toBe(404);
    expect((await revoke(one, "../x")).status).toBe(404);
  });

  it("end with a sign-out", async () => {
    await makeUser(test, "zoe");
    const cookie = await signInAs(test, "zoe");
    const answer = await test.ask("POST", "/api/v1/logout", { as: null, headers: { cookie } });
    expect(answer.status).toBe(204);
    expect(answer.headers["set-cookie"]).toMatch(/^drover_session=; .*Expires=Thu, 01 Jan 1970/);
    expect((await test.get("/api/v1/me", cookie)).status).toBe(401);
    expect((await test.audit())[0]).toMatchObject({ action: "session.revoke", who: "zoe@127.0.0.1" });
  });

  it("are extended by their use, to no more than their longest", async () => {
    const short = await open({ access: testAccess({ sessions: { idleMs: 60_000, longestMs: 90_000 } }) });
    const zoe = await makeUser(short, "zoe");
    const cookie = await signInAs(short, "zoe");
    const [before] = await short.store.access.listSessions(zoe.id);
    expect((before?.expiresAt ?? 0) - (before?.createdAt ?? 0)).toBe(60_000);
    await waitUntil(() => Date.now() > (before?.createdAt ?? 0));
    expect((await short.get("/api/v1/me", cookie)).status).toBe(200);
    await expect
      .poll(async () => (await short.store.access.listSessions(zoe.id))[0]?.expiresAt)
      .toBeGreaterThan(before?.expiresAt ?? 0);
  });

  it("do not lend their power to a token that is named beside them", async () => {
    await makeUser(test, "zoe", "admin");
    const cookie = await signInAs(test, "zoe");
    expect((await test.ask("GET", "/api/v1/users", { as: "viewer", headers: { cookie } })).status).toBe(403);
    expect((await test.ask("GET", "/api/v1/users", { as: "drv_wrong", headers: { cookie } })).status).toBe(401);
    expect((await test.get("/api/v1/users", cookie)).status).toBe(200);
  });
});

describe("one's own account", () => {
  const change = (cookie: string, body: object) =>
    test.ask("PATCH", "/api/v1/me", { as: null, headers: { cookie }, body });

  it("has preferences", async () => {
    await makeUser(test, "zoe");
    const cookie = await signInAs(test, "zoe");
    const answer = await change(cookie, { preferences: { theme: "dark", language: "zh-CN" } });
    expect(answer.json).toMatchObject({ preferences: { theme: "dark", language: "zh-CN" } });
    expect((await test.get("/api/v1/me", cookie)).json["preferences"]).toEqual({ theme: "dark", language: "zh-CN" });
    expect((await change(cookie, { preferences: { theme: "pink" } })).status).toBe(400);
  });

  it("gets a new password, which ends all other sessions and none of one's own", async () => {
    await makeUser(test, "zoe");
    const [cookie, other] = [await signInAs(test, "zoe"), await signInAs(test, "zoe")];
    const next = "another horse battery";
    expect((await change(cookie, { password: { current: "wrong", next } })).status).toBe(401);
    expect((await change(cookie, { password: { current: GOOD_PASSWORD, next: "short" } })).json).toMatchObject({
      code: "password-weak",
    });
    const answer = await change(cookie, { password: { current: GOOD_PASSWORD, next } });
    expect(answer.status).toBe(200);
    const renewed = readCookie(answer.headers["set-cookie"]);
    expect((await test.get("/api/v1/me", renewed)).status).toBe(200);
    expect((await test.get("/api/v1/me", cookie)).status).toBe(401);
    expect((await test.get("/api/v1/me", other)).status).toBe(401);
    expect((await test.login("zoe", GOOD_PASSWORD)).status).toBe(401);
    expect((await test.login("zoe", next)).status).toBe(200);
  });

  it("gets its first password from who came by a link, not from a token", async () => {
    const token = (await makeLoginLink(test.store.access, SYSTEM, "http://localhost/")).split("=")[1];
    const answer = await test.inject({ url: "/api/v1/login/link", body: { token } });
    const cookie = readCookie(answer.headers["set-cookie"]);
    const password = { current: "", next: "another horse battery" };
    expect((await test.ask("PATCH", "/api/v1/me", { as: "admin", body: { password } })).status).toBe(403);
    expect((await change(cookie, { password })).status).toBe(200);
    expect((await test.login("admin", password.next)).status).toBe(200);
  });

  it("is shown with what a token may do, not with what its user may", async () => {
    const token = await test.makeToken("viewer", ["env=dev"]);
    expect((await test.ask("GET", "/api/v1/me", { as: token })).json).toMatchObject({
      user: { name: "tester", role: "viewer", scopes: ["env=dev"] },
    });
  });
});
