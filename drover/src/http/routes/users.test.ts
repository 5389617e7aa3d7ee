import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openTestServer } from "../../../test/http.ts";
import { GOOD_PASSWORD, makeUser, signInAs } from "../../../test/sign-in.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeEach(async () => {
  test = await openTestServer();
  onTestFinished(test.dispose);
});

const change = (id: string, body: object, cookie?: string) =>
  test.ask("PATCH", `/api/v1/users/${id}`, {
    body,
    ...(cookie === undefined ? {} : { as: null, headers: { cookie } }),
  });
const isIn = async (cookie: string) =>
  (await test.ask("GET", "/api/v1/me", { as: null, headers: { cookie } })).status === 200;

describe("users", () => {
  it("are made, listed and audited without their passwords", async () => {
    const answer = await test.ask("POST", "/api/v1/users", {
      body: { name: "zoe", displayName: "Zoë", role: "viewer", scopes: ["env=dev"], password: GOOD_PASSWORD },
    });
    expect([answer.status, answer.json]).toMatchObject([
      201,
      { name: "zoe", displayName: "Zoë", role: "viewer", scopes: ["env=dev"], disabled: false, external: false },
    ]);
    const list = await test.ask("GET", "/api/v1/users");
    expect((list.json["items"] as unknown as { name: string }[]).map(({ name }) => name)).toEqual(["tester", "zoe"]);
    expect(answer.text + list.text).not.toContain("argon2");
    const [entry] = await test.store.read.listAudit({ limit: 1 });
    expect(entry).toMatchObject({
      ...{ action: "user.create", objectName: "zoe" },
      actor: { type: "token", name: "tester/admin", address: "127.0.0.1" },
    });
    expect(JSON.stringify(entry)).not.toMatch(/argon2|horse/);
  });

  it.each([
    [{ name: "zoe", role: "viewer", password: "short" }, 422, "password-weak"],
    [{ name: "zoe-the-user", role: "viewer", password: "Zoe-The-User-1" }, 422, "password-weak"],
    [{ name: "tester", role: "viewer" }, 409, "user-exists"],
    [{ name: "Zoe", role: "viewer" }, 400, "request-invalid"],
    [{ name: "../zoe", role: "viewer" }, 400, "request-invalid"],
    [{ name: "zoe", role: "root" }, 400, "request-invalid"],
    [{ name: "zoe", role: "viewer", scopes: ["env in dev"] }, 400, "request-invalid"],
    [{ name: "zoe", role: "viewer", scopes: [" "] }, 400, "request-invalid"],
    [{ name: "zoe", role: "viewer", disabled: true }, 400, "request-invalid"],
  ])("are refused: %j", async (body, status, code) => {
    const answer = await test.ask("POST", "/api/v1/users", { body });
    expect([answer.status, answer.json["code"]]).toEqual([status, code]);
    expect(await test.store.access.listUsers()).toHaveLength(1);
  });

  it.each([
    [{ role: "viewer" }, false],
    [{ scopes: ["env=dev"] }, false],
    [{ password: "another horse battery" }, false],
    [{ disabled: true }, false],
    [{ displayName: "Z" }, true],
    [{ role: "operator", scopes: [], disabled: false }, true],
  ])("that are changed by %j keep their sessions: %s", async (body, kept) => {
    const zoe = await makeUser(test, "zoe");
    const cookie = await signInAs(test, "zoe");
    expect((await change(zoe.id, body)).status).toBe(200);
    expect(await isIn(cookie)).toBe(kept);
  });

  it("may not become what nobody is left to undo", async () => {
    const zoe = await makeUser(test, "zoe", "admin");
    const cookie = await signInAs(test, "zoe");
    for (const body of [{ role: "operator" }, { disabled: true }, { scopes: ["env=dev"] }]) {
      const answer = await change(zoe.id, body, cookie);
      expect([answer.status, answer.json["code"]]).toEqual([409, "last-admin"]);
    }
    await makeUser(test, "bob", "admin");
    expect((await change(zoe.id, { role: "operator" }, cookie)).status).toBe(200);
    expect(await isIn(cookie)).toBe(false);
    expect((await change("none", { role: "operator" })).json).toMatchObject({ code: "user-not-found" });
  });

  it("are no business of an administrator of some clusters only", async () => {
    const token = await test.makeToken("admin", ["env=dev"]);
    const zoe = await makeUser(test, "zoe");
    const body = { name: "all", role: "admin", password: GOOD_PASSWORD };
    expect((await test.ask("POST", "/api/v1/users", { as: token, body })).status).toBe(403);
    expect((await test.ask("PATCH", `/api/v1/users/${zoe.id}`, { as: token, body: { role: "admin" } })).status).toBe(
      403,
    );
    expect((await test.ask("POST", "/api/v1/users", { as: "operator", body })).status).toBe(403);
    expect((await test.ask("POST", "/api/v1/users", { as: null, body })).status).toBe(401);
  });
});
