import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished } from "vitest";
import { listSqliteDrivers } from "../../test/sqlite-drivers.ts";
import { postgresSubject, sqliteSubject } from "../../test/store-world.ts";
import { grantOf } from "../app/access/grant.ts";
import type { Caller } from "../app/caller.ts";
import type { AccessStore, Store } from "../ports/store/index.ts";
import { ada, storeTest } from "../ports/store/world.conformance.ts";
import { AccessWatch } from "./access-watch.ts";

const [driver = "libsql"] = listSqliteDrivers();

async function makeCallers(store: Store) {
  const user = await store.access.createUser(ada, { name: "zoe", role: "operator", scopes: ["team=a"] });
  const session = await store.access.createSession({
    ...{ userId: user.id, tokenHash: "s", lifetimeMs: 86_400_000, address: "192.0.2.1", userAgent: "test" },
  });
  const given = { role: "viewer", scopes: ["env=dev"] } as const;
  const token = await store.access.createToken(ada, { userId: user.id, name: "t", tokenHash: "t", ...given });
  const known = { actor: ada, userId: user.id };
  const bySession: Caller = { ...known, ...grantOf(user, null), credential: { kind: "session", id: session.id } };
  const byToken: Caller = { ...known, ...grantOf(user, given), credential: { kind: "token", id: token.id } };
  return { user, bySession, byToken };
}

function open(access: AccessStore): AccessWatch {
  const watch = new AccessWatch(access, (error) => {
    throw error;
  });
  onTestFinished(() => watch.close());
  return watch;
}

/** Time enough for two checks: what has not been called back by then will not be. */
const TWO_CHECKS_MS = 1_300;

for (const subject of [sqliteSubject(driver), postgresSubject]) {
  describe(`on ${subject.name}`, () => {
    const it = storeTest(subject);

    it("ends what a token or a session had opened once another server has revoked it, and nothing else", async ({
      world,
    }) => {
      const { bySession, byToken } = await makeCallers(world.store);
      const watch = open(world.store.access);
      const ended: string[] = [];
      watch.watch(bySession, () => ended.push("session"));
      watch.watch(byToken, () => ended.push("token"));
      watch.watch(byToken, () => ended.push("token"));
      await sleep(TWO_CHECKS_MS);
      expect(ended).toEqual([]);
      const other = await world.open();
      await other.access.revokeToken(ada, byToken.credential.id);
      await expect.poll(() => ended, { timeout: 5_000 }).toEqual(["token", "token"]);
      await other.access.revokeSession(ada, bySession.credential.id);
      await expect.poll(() => ended, { timeout: 5_000 }).toEqual(["token", "token", "session"]);
    });
  });
}

const it = storeTest(sqliteSubject(driver));

it("ends what a token had opened when its user may see something else from now on", async ({ world: { store } }) => {
  const { user, byToken } = await makeCallers(store);
  let ended = 0;
  open(store.access).watch(byToken, () => {
    ended += 1;
  });
  await store.access.changeUser(ada, user.id, { displayName: "Z" });
  await sleep(TWO_CHECKS_MS);
  expect(ended).toBe(0);
  await store.access.changeUser(ada, user.id, { scopes: ["team=b"] });
  await expect.poll(() => ended, { timeout: 5_000 }).toBe(1);
});

it("asks once for all that is open, goes on after a failure, and asks nothing when all is closed", async ({
  world: { store },
}) => {
  const { byToken, bySession } = await makeCallers(store);
  const asked: number[] = [];
  const errors: unknown[] = [];
  const access: AccessStore = {
    ...store.access,
    listLiveAccess: async (refs) => {
      asked.push(refs.length);
      if (asked.length === 1) throw new Error("on purpose");
      return await store.access.listLiveAccess(refs);
    },
  };
  const watch = new AccessWatch(access, (error) => errors.push(error));
  onTestFinished(() => watch.close());
  let ended = 0;
  const stops = Array.from({ length: 300 }, (_, index) =>
    watch.watch(index % 2 === 0 ? byToken : bySession, () => {
      ended += 1;
    }),
  );
  await expect.poll(() => asked.length, { timeout: 5_000 }).toBe(2);
  expect(errors).toHaveLength(1);
  expect(asked).toEqual([2, 2]);
  expect(ended).toBe(0);
  for (const stop of stops) stop();
  const before = asked.length;
  await sleep(TWO_CHECKS_MS);
  expect(asked.length - before).toBeLessThanOrEqual(1);
});
