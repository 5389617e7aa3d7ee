import { describe, expect } from "vitest";
import { ACCOUNT_THROTTLE, ADDRESS_THROTTLE } from "../../domain/sign-in-throttle.ts";
import type { Store } from "./index.ts";
import {
  ada,
  breakTable,
  countRows,
  dump,
  failureOf,
  refusalOf,
  type StoreSubject,
  storeTest,
} from "./world.conformance.ts";

const HOUR = 3_600_000;
const from = { address: "192.0.2.1", userAgent: "test" };
/** Pauses that no machine is slow enough to sit out. */
const PAUSES = { firstPauseMs: HOUR, longestPauseMs: 24 * HOUR, forgetMs: 48 * HOUR };
const account = (key: string) => ({ key, policy: { ...ACCOUNT_THROTTLE, ...PAUSES } });
const address = (key: string) => ({ key, policy: { ...ADDRESS_THROTTLE, ...PAUSES } });
const makeAdmin = (store: Store, name: string) =>
  store.access.createUser(ada, { name, role: "admin", passwordHash: "hash" });

export function describeSignIn(subject: StoreSubject): void {
  const it = storeTest(subject);

  describe("tries", () => {
    it("let no more through at once, on two servers, than one after another", async ({ world }) => {
      const other = await world.open();
      const tries = Array.from({ length: 200 }, (_, index) =>
        (index % 2 === 0 ? world.store : other).access.countSignIn([account("a:zoe"), address("i:1")]),
      );
      const answers = await Promise.all(tries);
      expect(answers.filter((blocked) => blocked === null).length).toBe(ACCOUNT_THROTTLE.free + 1);
      const blocked = await world.store.access.countSignIn([account("a:zoe"), address("i:1")]);
      expect(blocked).toMatchObject({ key: "a:zoe" });
      expect(blocked?.forMs).toBeGreaterThan(0);
      expect(blocked?.forMs).toBeLessThanOrEqual(HOUR);
    });

    it("of one account do not slow down another one", async ({ world: { store } }) => {
      for (let index = 0; index < 20; index++) await store.access.countSignIn([account("a:zoe"), address("i:1")]);
      expect(await store.access.countSignIn([account("a:zoe"), address("i:1")])).not.toBeNull();
      expect(await store.access.countSignIn([account("a:bob"), address("i:1")])).toBeNull();
    });

    it("count nothing while one of the keys is blocked", async ({ world }) => {
      const { store } = world;
      for (let index = 0; index < 6; index++) await store.access.countSignIn([account("a:zoe")]);
      const before = await dump(world);
      expect(await store.access.countSignIn([account("a:zoe"), address("i:new")])).toMatchObject({ key: "a:zoe" });
      expect(await dump(world)).toEqual(before);
    });

    it("are forgotten or taken back after a success", async ({ world }) => {
      const { store } = world;
      for (let index = 0; index < 6; index++) await store.access.countSignIn([account("a:zoe"), address("i:1")]);
      await store.access.settleSignIn({ forget: ["a:zoe"], takeBack: ["i:1"] });
      expect(await store.access.countSignIn([account("a:zoe")])).toBeNull();
      expect(await world.execute("select key, tries from sign_in_tries order by key")).toMatchObject([
        { key: "a:zoe", tries: expect.anything() },
        { key: "i:1" },
      ]);
      expect(await countRows(world, "sign_in_tries", "tries = 5 and key = 'i:1'")).toBe(1);
      await store.access.settleSignIn({ forget: ["none"], takeBack: ["none"] });
    });

    it("of yesterday go away with those of today", async ({ world }) => {
      const { store } = world;
      await store.access.countSignIn([account("a:old")]);
      await world.execute("update sign_in_tries set last_try_at = 1");
      await store.access.countSignIn([account("a:new")]);
      expect(await world.execute("select key from sign_in_tries")).toEqual([{ key: "a:new" }]);
    });
  });

  describe("login links", () => {
    const redeem = (store: Store, link: string, tokenHash: string) =>
      store.access.redeemLoginLink(link, "admin", { tokenHash, lifetimeMs: HOUR, ...from });

    it("let in one of many who use it at once, as an administrator who is made for it", async ({ world }) => {
      const other = await world.open();
      await world.store.access.createLoginLink(ada, { tokenHash: "link", lifetimeMs: HOUR });
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => redeem(index % 2 === 0 ? world.store : other, "link", `s${index}`)),
      );
      expect(answers.filter((answer) => answer !== null)).toMatchObject([{ user: { name: "admin", role: "admin" } }]);
      expect(await countRows(world, "sessions")).toBe(1);
      const actions = (await world.store.read.listAudit({ limit: 9 })).map(({ action }) => action).sort();
      expect(actions).toEqual(["login-link.create", "session.create", "user.create"]);
    });

    it("end with their time, are not among the settings, and leave a user as they are", async ({
      world: { store },
    }) => {
      const user = await makeAdmin(store, "admin");
      await store.access.createLoginLink(ada, { tokenHash: "late", lifetimeMs: 0 });
      expect(await redeem(store, "late", "s1")).toBeNull();
      expect(await redeem(store, "none", "s1")).toBeNull();
      await store.access.createLoginLink(ada, { tokenHash: "good", lifetimeMs: HOUR });
      expect(await store.settings.listSettings()).toEqual([]);
      expect((await redeem(store, "good", "s1"))?.user).toEqual(user);
    });

    it("are still good after a sign-in that could not be written", async ({ world }) => {
      await world.store.access.createLoginLink(ada, { tokenHash: "link", lifetimeMs: HOUR });
      await breakTable(world, "sessions", "insert");
      expect(await failureOf(redeem(world.store, "link", "s1"))).toContain("broken");
      expect(await world.store.access.listUsers()).toEqual([]);
      expect(await countRows(world, "settings", "key like 'store.login-link.%'")).toBe(1);
    });
  });

  describe("sign-ins", () => {
    it("are refused when the password was changed or the user disabled meanwhile", async ({ world: { store } }) => {
      const { id: userId } = await makeAdmin(store, "zoe");
      await makeAdmin(store, "bob");
      const signIn = (tokenHash: string, passwordHash: string) =>
        store.access.createSession({ userId, tokenHash, passwordHash, lifetimeMs: HOUR, by: "password", ...from });
      await signIn("s1", "hash");
      expect(await refusalOf(signIn("s2", "older"))).toBe("login-failed");
      await store.access.changeUser(ada, userId, { disabled: true });
      expect(await refusalOf(signIn("s3", "hash"))).toBe("login-failed");
      expect(
        (await store.read.listAudit({ limit: 9, objectKind: "session" })).map(({ action, actor, body }) => [
          action,
          actor,
          body,
        ]),
      ).toEqual([["session.create", { type: "user", name: "zoe", address: "192.0.2.1" }, { by: "password" }]]);
    });

    it("are listed while they are open, extended when used, and never beyond the longest", async ({ world }) => {
      const { store } = world;
      const { id: userId } = await makeAdmin(store, "zoe");
      const make = (tokenHash: string, lifetimeMs: number) =>
        store.access.createSession({ userId, tokenHash, lifetimeMs, ...from });
      const [first, late, second] = [await make("a", HOUR), await make("b", 0), await make("c", HOUR)];
      // In no order: both may have begun in the same millisecond.
      const open = (await store.access.listSessions(userId)).map(({ id }) => id);
      expect(open.sort()).toEqual([first.id, second.id].sort());
      await store.access.extendSession(first.id, { idleMs: 2 * HOUR, longestMs: 24 * HOUR });
      await store.access.extendSession(second.id, { idleMs: 48 * HOUR, longestMs: 24 * HOUR });
      await store.access.extendSession(late.id, { idleMs: HOUR, longestMs: 24 * HOUR });
      const sessions = new Map((await store.access.listSessions(userId)).map((session) => [session.id, session]));
      expect(sessions.get(first.id)?.expiresAt).toBeGreaterThanOrEqual(first.createdAt + 2 * HOUR);
      expect(sessions.get(second.id)?.expiresAt).toBe(second.createdAt + 24 * HOUR);
      expect(sessions.has(late.id)).toBe(false);
      expect(await store.access.hasSignedInFrom(userId, "192.0.2.1")).toBe(true);
      expect(await store.access.hasSignedInFrom(userId, "192.0.2.2")).toBe(false);
    });

    it("by token are noted once a minute", async ({ world }) => {
      const { store } = world;
      const { id: userId } = await makeAdmin(store, "zoe");
      const token = await store.access.createToken(ada, { userId, name: "t", tokenHash: "t", role: "viewer" });
      expect(token.lastUsedAt).toBeNull();
      await store.access.noteTokenUse(token.id);
      const [used] = await store.access.listTokens();
      expect(used?.lastUsedAt).toBeGreaterThanOrEqual(token.createdAt);
      await world.execute("update tokens set last_used_at = last_used_at - 30000");
      await store.access.noteTokenUse(token.id);
      expect((await store.access.listTokens())[0]?.lastUsedAt).toBe((used?.lastUsedAt ?? 0) - 30_000);
      await world.execute("update tokens set last_used_at = last_used_at - 30000");
      await store.access.noteTokenUse(token.id);
      expect((await store.access.listTokens())[0]?.lastUsedAt).toBeGreaterThanOrEqual(used?.lastUsedAt ?? 0);
    });
  });

  describe("the last administrator", () => {
    it.for([{ role: "viewer" }, { disabled: true }, { scopes: ["env=dev"] }] as const)(
      "stays one: %o",
      async (change, { world }) => {
        const { store } = world;
        const zoe = await makeAdmin(store, "zoe");
        await store.access.createUser(ada, { name: "link", role: "admin" });
        await store.access.createUser(ada, { name: "dev", role: "admin", passwordHash: "hash", scopes: ["env=dev"] });
        await store.access.createUser(ada, { name: "op", role: "operator", passwordHash: "hash" });
        const before = await dump(world);
        expect(await refusalOf(store.access.changeUser(ada, zoe.id, change))).toBe("last-admin");
        expect(await dump(world)).toEqual(before);
        await store.access.changeUser(ada, zoe.id, { displayName: "Z" });
        await makeAdmin(store, "bob");
        await store.access.changeUser(ada, zoe.id, change);
      },
    );

    it("is one of two who demote each other at the same moment", async ({ world }) => {
      const other = await world.open();
      const [zoe, bob] = [await makeAdmin(world.store, "zoe"), await makeAdmin(world.store, "bob")];
      const ends = await Promise.allSettled([
        world.store.access.changeUser(ada, zoe.id, { role: "viewer" }),
        other.access.changeUser(ada, bob.id, { role: "viewer" }),
      ]);
      expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(await countRows(world, "users", "role = 'admin'")).toBe(1);
    });
  });
}
