import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openTestServer } from "../../../test/http.ts";
import { makeUser, signInAs } from "../../../test/sign-in.ts";
import { sha256 } from "../../lib/sha256.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeEach(async () => {
  test = await openTestServer();
  onTestFinished(test.dispose);
});

type Secret = `drv_${string}`;
interface Token {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly scopes: readonly string[];
  readonly expiresTime: string | null;
  readonly lastUsedTime: string | null;
}

async function create(body: object, as: { cookie: string } | Secret | "admin" | "viewer" = "admin") {
  const who = typeof as === "string" ? { as } : { as: null, headers: as };
  const answer = await test.ask("POST", "/api/v1/tokens", { body: { name: "ci", role: "viewer", ...body }, ...who });
  const { token, secret } = answer.json as unknown as { token: Token; secret: Secret };
  return { status: answer.status, code: answer.json["code"], token, secret };
}
const list = async (as: Secret | "admin" | "viewer") =>
  (await test.ask("GET", "/api/v1/tokens", { as })).json["items"] as unknown as Token[];
const isIn = async (as: Secret) => (await test.ask("GET", "/api/v1/me", { as })).status === 200;

describe("tokens", () => {
  it("are shown once, and only their hash is kept", async () => {
    const { status, token, secret } = await create({ lifetimeSeconds: 3_600, scopes: ["env=dev"] });
    expect(status).toBe(201);
    expect(secret).toMatch(/^drv_[\w-]{43}$/);
    expect(token).toMatchObject({ name: "ci", owner: "tester", scopes: ["env=dev"], lastUsedTime: null });
    const found = await test.store.access.findToken(sha256(secret));
    expect((found?.token.expiresAt ?? 0) - (found?.token.createdAt ?? 0)).toBe(3_600_000);
    const all = await test.ask("GET", "/api/v1/tokens");
    expect(all.text).toContain(token.id);
    expect(all.text + JSON.stringify(await test.store.read.listAudit({ limit: 50 }))).not.toContain(secret);
    const [entry] = await test.store.read.listAudit({ limit: 1 });
    expect(entry).toMatchObject({ action: "token.create", actor: { name: "tester/admin", address: "127.0.0.1" } });
  });

  it("tell when they were last used", async () => {
    const { token, secret } = await create({});
    expect(await isIn(secret)).toBe(true);
    await expect
      .poll(async () => (await list("admin")).find(({ id }) => id === token.id)?.lastUsedTime)
      .toMatch(/^\d{4}-/);
  });

  it("end at once when revoked, and are not listed any more", async () => {
    const { token, secret } = await create({});
    expect((await test.ask("DELETE", `/api/v1/tokens/${token.id}`)).status).toBe(204);
    expect(await isIn(secret)).toBe(false);
    expect((await list("admin")).map(({ id }) => id)).not.toContain(token.id);
    expect((await test.ask("DELETE", `/api/v1/tokens/${token.id}`)).json).toMatchObject({ code: "token-not-found" });
    expect((await test.store.read.listAudit({ limit: 1 }))[0]).toMatchObject({ action: "token.revoke" });
  });

  it("end with their time", async () => {
    const user = await test.store.access.findUser({ name: "tester" });
    const actor = { type: "system", name: "test" } as const;
    const made = { userId: user?.id ?? "", name: "late", role: "viewer", lifetimeMs: 0 } as const;
    await test.store.access.createToken(actor, { ...made, tokenHash: sha256("drv_late") });
    expect(await isIn("drv_late")).toBe(false);
    expect((await list("admin")).map(({ name }) => name)).not.toContain("late");
  });

  it("are seen and revoked by their owner and by administrators of everything", async () => {
    await makeUser(test, "zoe");
    await makeUser(test, "bob", "viewer");
    const [zoe, bob] = [{ cookie: await signInAs(test, "zoe") }, { cookie: await signInAs(test, "bob") }];
    const { token, secret } = await create({}, zoe);
    const remove = (headers: Record<string, string>) =>
      test.ask("DELETE", `/api/v1/tokens/${token.id}`, { as: null, headers });
    const seen = await test.ask("GET", "/api/v1/tokens", { as: null, headers: bob });
    expect(seen.json["items"]).toEqual([]);
    expect((await remove(bob)).status).toBe(404);
    expect((await list(await test.makeToken("admin", ["env=dev"]))).map(({ owner }) => owner)).not.toContain("zoe");
    expect((await list("admin")).find(({ id }) => id === token.id)?.owner).toBe("zoe");
    expect(await isIn(secret)).toBe(true);
    expect((await remove(zoe)).status).toBe(204);
  });

  it("give no more than their maker has", async () => {
    await makeUser(test, "zoe", "operator", { scopes: ["env=dev"] });
    const zoe = { cookie: await signInAs(test, "zoe") };
    expect(await create({ role: "admin" }, zoe)).toMatchObject({ status: 403, code: "forbidden" });
    const { secret } = await create({ role: "operator", scopes: ["team=a"] }, zoe);
    const me = await test.ask("GET", "/api/v1/me", { as: secret });
    expect(me.json["user"]).toMatchObject({ role: "operator", scopes: ["env=dev,team=a"] });
    const everything = await create({ role: "operator" }, zoe);
    const seen = await test.ask("GET", "/api/v1/me", { as: everything.secret });
    expect(seen.json["user"]).toMatchObject({ scopes: ["env=dev"] });
  });

  it("made by a token are no stronger, no wider and live no longer than it", async () => {
    const maker = await create({ role: "operator", scopes: ["env=dev"], lifetimeSeconds: 600 });
    expect(await create({ role: "admin" }, maker.secret)).toMatchObject({ status: 403 });
    const made = await create({ role: "viewer", lifetimeSeconds: 86_400 }, maker.secret);
    expect(made.token.scopes).toEqual(["env=dev"]);
    expect(Date.parse(made.token.expiresTime ?? "")).toBeLessThanOrEqual(
      Date.parse(maker.token.expiresTime ?? "") + 1_000,
    );
    const narrower = await create({ scopes: ["team=a", "team=b"] }, maker.secret);
    expect(narrower.token.scopes).toEqual(["env=dev,team=a", "env=dev,team=b"]);
    expect((await create({}, maker.secret)).token.expiresTime).not.toBeNull();
    const strong = await create({ role: "admin" });
    const asMade = { as: made.secret };
    expect((await test.ask("DELETE", `/api/v1/tokens/${strong.token.id}`, asMade)).status).toBe(403);
    expect((await test.ask("DELETE", `/api/v1/tokens/${made.token.id}`, asMade)).status).toBe(204);
  });

  it("lose what their user loses, at once", async () => {
    const zoe = await makeUser(test, "zoe", "admin");
    const { secret } = await create({ role: "admin" }, { cookie: await signInAs(test, "zoe") });
    await makeUser(test, "bob", "admin");
    await test.ask("PATCH", `/api/v1/users/${zoe.id}`, { body: { role: "viewer" } });
    expect((await test.ask("GET", "/api/v1/users", { as: secret })).status).toBe(403);
    await test.ask("PATCH", `/api/v1/users/${zoe.id}`, { body: { disabled: true } });
    expect(await isIn(secret)).toBe(false);
  });

  it.each([
    { name: "" },
    { name: "a\nb" },
    { role: "root" },
    { scopes: ["env in dev"] },
    { lifetimeSeconds: 1 },
    { lifetimeSeconds: 1e12 },
    { userId: "another" },
  ])("are refused: %j", async (body) => {
    expect((await create(body)).status).toBe(400);
  });
});
