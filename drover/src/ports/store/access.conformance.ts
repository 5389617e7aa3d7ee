import { describe, expect } from "vitest";
import type { NewUser, Store, UserChange } from "./index.ts";
import { ada, breakTable, dump, failureOf, refusalOf, type StoreSubject, storeTest } from "./world.conformance.ts";

const DAY = 86_400_000;
const createUser = (store: Store, name: string, more: Partial<NewUser> = {}) =>
  store.access.createUser(ada, { name, role: "operator", ...more });
const signIn = (store: Store, userId: string, tokenHash: string, lifetimeMs = DAY) =>
  store.access.createSession({ userId, tokenHash, lifetimeMs, address: "192.0.2.1", userAgent: "test" });
const issue = (store: Store, userId: string, tokenHash: string, lifetimeMs?: number) =>
  store.access.createToken(ada, {
    userId,
    name: `token ${tokenHash}`,
    tokenHash,
    role: "viewer",
    scopes: ["env=dev"],
    ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
  });

export function describeAccess(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("users", () => {
    it("are created, found by name, id and subject, and listed by name", async ({ world: { store } }) => {
      const zoe = await createUser(store, "zoe", {
        displayName: "Zoë",
        passwordHash: "pw-canary",
        scopes: ["env=dev"],
      });
      expect(zoe).toMatchObject({
        name: "zoe",
        displayName: "Zoë",
        role: "operator",
        scopes: ["env=dev"],
        disabledAt: null,
      });
      const bob = await createUser(store, "bob", { oidcIssuer: "https://id", oidcSubject: "42", role: "admin" });
      expect(bob).toMatchObject({ displayName: "bob", passwordHash: null, scopes: [] });
      expect(await store.access.findUser({ name: "zoe" })).toEqual(zoe);
      expect(await store.access.findUser({ id: bob.id })).toEqual(bob);
      expect(await store.access.findUser({ issuer: "https://id", subject: "42" })).toEqual(bob);
      expect(await store.access.findUser({ issuer: "https://other", subject: "42" })).toBeNull();
      expect(await store.access.findUser({ name: "none" })).toBeNull();
      expect((await store.access.listUsers()).map(({ name }) => name)).toEqual(["bob", "zoe"]);
      const entries = await store.read.listAudit({ limit: 5, objectKind: "user" });
      expect(entries.map(({ action, objectName }) => [action, objectName])).toEqual([
        ["user.create", "bob"],
        ["user.create", "zoe"],
      ]);
      expect(JSON.stringify(entries)).not.toContain("pw-canary");
    });

    it("have names and subjects of their own", async ({ world }) => {
      const { store } = world;
      await createUser(store, "zoe", { oidcIssuer: "i", oidcSubject: "1" });
      const before = await dump(world);
      expect(await refusalOf(createUser(store, "zoe"))).toBe("user-exists");
      expect(await refusalOf(createUser(store, "other", { oidcIssuer: "i", oidcSubject: "1" }))).toBe("user-exists");
      expect(await refusalOf(store.access.changeUser(ada, "none", { role: "admin" }))).toBe("user-not-found");
      expect(await dump(world)).toEqual(before);
    });

    it("are not created without an audit entry", async ({ world }) => {
      await breakTable(world, "audit", "insert");
      expect(await failureOf(createUser(world.store, "zoe"))).toContain("broken");
      expect(await world.store.access.listUsers()).toEqual([]);
    });

    it("change one thing and keep the others", async ({ world: { store } }) => {
      const zoe = await createUser(store, "zoe", { passwordHash: "old", scopes: ["a"] });
      const changed = await store.access.changeUser(ada, zoe.id, { displayName: "Z", preferences: { theme: "dark" } });
      expect(changed).toEqual({ ...zoe, displayName: "Z", preferences: { theme: "dark" } });
      const [entry] = await store.read.listAudit({ limit: 1 });
      expect(entry).toMatchObject({ action: "user.change", body: { changed: ["displayName", "preferences"] } });
    });
  });

  const changes: Readonly<Record<string, { change: UserChange; session: boolean; token: boolean }>> = {
    "is disabled": { change: { disabled: true }, session: false, token: false },
    "gets another role": { change: { role: "viewer" }, session: false, token: true },
    "gets other scopes": { change: { scopes: ["env=x"] }, session: false, token: true },
    "gets another password": { change: { passwordHash: "new" }, session: false, token: true },
    "gets another name to show": { change: { displayName: "Z" }, session: true, token: true },
    "prefers something else": { change: { preferences: 1 }, session: true, token: true },
  };
  for (const [what, { change, session, token }] of Object.entries(changes)) {
    it(`${session ? "keeps" : "ends"} the sessions and ${token ? "keeps" : "ends"} the tokens of a user who ${what}`, async ({
      world: { store },
    }) => {
      const zoe = await createUser(store, "zoe");
      const bob = await createUser(store, "bob");
      await signIn(store, zoe.id, "s-zoe");
      await signIn(store, bob.id, "s-bob");
      await issue(store, zoe.id, "t-zoe");
      await issue(store, bob.id, "t-bob");
      await store.access.changeUser(ada, zoe.id, change);
      expect((await store.access.findSession("s-zoe")) !== null).toBe(session);
      expect((await store.access.findToken("t-zoe")) !== null).toBe(token);
      expect(await store.access.findSession("s-bob")).toMatchObject({ user: { name: "bob" } });
      expect(await store.access.findToken("t-bob")).toMatchObject({ user: { name: "bob" } });
    });
  }

  describe("sessions", () => {
    it("are found by the hash of their secret until they end", async ({ world }) => {
      const { store } = world;
      const zoe = await createUser(store, "zoe");
      const session = await signIn(store, zoe.id, "hash");
      expect(session.expiresAt - session.createdAt).toBe(DAY);
      expect(await store.access.findSession("hash")).toEqual({ session, user: zoe });
      expect(await store.access.findSession("other")).toBeNull();
      await store.access.revokeSession(ada, session.id);
      expect(await store.access.findSession("hash")).toBeNull();
      const before = await dump(world);
      await store.access.revokeSession(ada, session.id);
      expect(await dump(world)).toEqual(before);
      expect((await store.read.listAudit({ limit: 1 }))[0]).toMatchObject({ action: "session.revoke" });
    });

    it("end with their time and with their user", async ({ world: { store } }) => {
      const zoe = await createUser(store, "zoe");
      await signIn(store, zoe.id, "short", 0);
      expect(await store.access.findSession("short")).toBeNull();
      await store.access.changeUser(ada, zoe.id, { disabled: true });
      await signIn(store, zoe.id, "late");
      expect(await store.access.findSession("late")).toBeNull();
    });

    it("are not made for a user who is not there", async ({ world: { store } }) => {
      expect(await failureOf(signIn(store, "none", "hash"))).toMatch(/foreign key/i);
      expect(await store.access.findSession("hash")).toBeNull();
    });
  });

  describe("tokens", () => {
    it("are found by the hash of their secret until they end", async ({ world: { store } }) => {
      const zoe = await createUser(store, "zoe");
      const forever = await issue(store, zoe.id, "forever");
      const day = await issue(store, zoe.id, "day", DAY);
      expect(forever).toMatchObject({ role: "viewer", scopes: ["env=dev"], expiresAt: null, revokedAt: null });
      expect((day.expiresAt ?? 0) - day.createdAt).toBe(DAY);
      expect(await store.access.findToken("forever")).toEqual({ token: forever, user: zoe });
      expect(await store.access.findToken("day")).toEqual({ token: day, user: zoe });
      await issue(store, zoe.id, "short", 0);
      expect(await store.access.findToken("short")).toBeNull();
      expect(await store.access.findToken("none")).toBeNull();
      await store.access.revokeToken(ada, forever.id);
      expect(await store.access.findToken("forever")).toBeNull();
      const actions = (await store.read.listAudit({ limit: 9, objectKind: "token" })).map(({ action }) => action);
      expect(actions).toEqual(["token.revoke", "token.create", "token.create", "token.create"]);
    });

    it("are listed with those that ended, of one user or of all, without their secrets", async ({
      world: { store },
    }) => {
      const zoe = await createUser(store, "zoe");
      const bob = await createUser(store, "bob");
      const first = await issue(store, zoe.id, "secret-hash-1");
      await issue(store, bob.id, "secret-hash-2");
      await store.access.revokeToken(ada, first.id);
      expect(await store.access.listTokens(zoe.id)).toMatchObject([{ id: first.id, revokedAt: expect.any(Number) }]);
      const all = await store.access.listTokens();
      expect(all).toHaveLength(2);
      expect(JSON.stringify(all)).not.toMatch(/"secret-hash/);
    });
  });

  it("tells of many credentials at once which are still good, and what they stand for", async ({ world }) => {
    const { store } = world;
    const zoe = await createUser(store, "zoe", { scopes: ["team=a"] });
    const bob = await createUser(store, "bob");
    const session = await signIn(store, zoe.id, "s-zoe");
    const token = await issue(store, bob.id, "t-bob");
    const ended = await signIn(store, zoe.id, "s-ended");
    await store.access.revokeSession(ada, ended.id);
    const [lateSession, lateToken] = [
      await signIn(store, zoe.id, "s-late", 0),
      await issue(store, bob.id, "t-late", 0),
    ];
    const revoked = await issue(store, bob.id, "t-revoked");
    await store.access.revokeToken(ada, revoked.id);
    const refs = [
      ...[session.id, ended.id, lateSession.id, token.id, "none"].map((id) => ({ kind: "session" as const, id })),
      ...[token.id, lateToken.id, revoked.id, session.id].map((id) => ({ kind: "token" as const, id })),
    ];
    expect(await store.access.listLiveAccess(refs)).toEqual([
      { kind: "session", id: session.id, user: { role: "operator", scopes: ["team=a"] }, token: null },
      {
        ...{ kind: "token", id: token.id },
        user: { role: "operator", scopes: [] },
        token: { role: "viewer", scopes: ["env=dev"] },
      },
    ]);
    expect(await store.access.listLiveAccess([])).toEqual([]);
    await store.access.changeUser(ada, bob.id, { disabled: true });
    expect((await store.access.listLiveAccess(refs)).map(({ id }) => id)).toEqual([session.id]);
    await store.access.changeUser(ada, bob.id, { disabled: false });
    expect((await store.access.listLiveAccess(refs)).map(({ id }) => id)).toEqual([session.id]);
  });
}
