import { describe, expect, onTestFinished } from "vitest";
import { ManualTimer } from "../../test/manual-timer.ts";
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

/** A watch that checks when it is told to. `asked` has how many credentials each check has asked for. */
function open(access: AccessStore) {
  const timer = new ManualTimer();
  const asked: number[] = [];
  const errors: unknown[] = [];
  let answered = Promise.resolve<unknown>(undefined);
  const counted: AccessStore = {
    ...access,
    listLiveAccess: (refs) => {
      asked.push(refs.length);
      const answer = access.listLiveAccess(refs);
      answered = answer.catch(() => {});
      return answer;
    },
  };
  const watch = new AccessWatch(counted, (error) => errors.push(error), timer);
  onTestFinished(() => watch.close());
  /** Resolves when all is called back that this check calls back. */
  const check = async () => {
    timer.pass();
    await answered;
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { watch, timer, asked, errors, check };
}

for (const subject of [sqliteSubject(driver), postgresSubject]) {
  describe(`on ${subject.name}`, () => {
    const it = storeTest(subject);

    it("ends what a token or a session had opened once another server has revoked it, and nothing else", async ({
      world,
    }) => {
      const { bySession, byToken } = await makeCallers(world.store);
      const { watch, check, errors } = open(world.store.access);
      const ended: string[] = [];
      watch.watch(bySession, () => ended.push("session"));
      watch.watch(byToken, () => ended.push("token"));
      watch.watch(byToken, () => ended.push("token"));
      await check();
      expect(ended).toEqual([]);
      const other = await world.open();
      await other.access.revokeToken(ada, byToken.credential.id);
      await check();
      expect(ended).toEqual(["token", "token"]);
      await other.access.revokeSession(ada, bySession.credential.id);
      await check();
      expect(ended).toEqual(["token", "token", "session"]);
      expect(errors).toEqual([]);
    });
  });
}

const it = storeTest(sqliteSubject(driver));

it("checks twice a second", async ({ world: { store } }) => {
  const { byToken } = await makeCallers(store);
  const { watch, timer, check } = open(store.access);
  watch.watch(byToken, () => {});
  expect([...timer.waiting].map(({ ms }) => ms)).toEqual([500]);
  await check();
  expect([...timer.waiting].map(({ ms }) => ms)).toEqual([500]);
});

it("ends what a token had opened when its user may see something else from now on", async ({ world: { store } }) => {
  const { user, byToken } = await makeCallers(store);
  let ended = 0;
  const { watch, check } = open(store.access);
  watch.watch(byToken, () => {
    ended += 1;
  });
  await store.access.changeUser(ada, user.id, { displayName: "Z" });
  await check();
  expect(ended).toBe(0);
  await store.access.changeUser(ada, user.id, { scopes: ["team=b"] });
  await check();
  expect(ended).toBe(1);
});

it("asks once for all that is open, goes on after a failure, and asks nothing when all is closed", async ({
  world: { store },
}) => {
  const { byToken, bySession } = await makeCallers(store);
  let tries = 0;
  const { watch, timer, check, asked, errors } = open({
    ...store.access,
    listLiveAccess: async (refs) => {
      tries += 1;
      if (tries === 1) throw new Error("on purpose");
      return await store.access.listLiveAccess(refs);
    },
  });
  let ended = 0;
  const stops = Array.from({ length: 300 }, (_, index) =>
    watch.watch(index % 2 === 0 ? byToken : bySession, () => {
      ended += 1;
    }),
  );
  await check();
  expect(errors).toHaveLength(1);
  await check();
  expect(errors).toHaveLength(1);
  expect(asked).toEqual([2, 2]);
  expect(ended).toBe(0);
  for (const stop of stops) stop();
  expect(timer.waiting.size).toBe(0);
});
