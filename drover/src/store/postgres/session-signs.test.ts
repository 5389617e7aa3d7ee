import type { Client } from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createPostgresDatabase } from "../../../test/database.ts";
import { createWorld } from "../../../test/store-world.ts";
import { waitUntil } from "../../../test/wait-for.ts";
import { systemClock } from "../../ports/clock.ts";
import {
  claimOne,
  declareAndClaim,
  LEASE_MS,
  refusalOf,
  type StoreWorld,
  workerAt,
} from "../../ports/store/world.conformance.ts";
import { SessionSigns } from "./session-signs.ts";
import { STANDING_NAME, type StandingConnection } from "./standing-connection.ts";

const w1 = { id: "w1", about: {}, ttlMs: LEASE_MS };
const cut = (who: string) => `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid in (${who})`;
/** The backends that hold a worker's sign. */
const SIGNS = `select pid from pg_locks where locktype = 'advisory' and mode = 'ShareLock'
  and database = (select oid from pg_database where datname = current_database())`;
/** Has the database write down which signs it is told, one after the other. */
const KEEP_SIGNS = `
  create table said (sign json);
  create function note_sign() returns trigger language plpgsql as $$ begin
    insert into said values (nullif((new.data::json -> 'sign')::text, 'null')::json);
    return new;
  end $$;
  create trigger note_sign after update on leases for each row execute function note_sign()`;

let world: StoreWorld;
beforeEach(async () => {
  world = await createWorld("postgres", await createPostgresDatabase());
});
afterEach(() => world.dispose());

const readSign = async () => {
  const [row] = await world.execute("select data::json -> 'sign' as sign from leases where key = 'worker/w1'");
  return row?.["sign"] ?? null;
};

it("lets others have the jobs of a worker whose connection is closed without a word", async () => {
  const doomed = await world.open();
  await doomed.workers.showPresence(w1);
  const { ref } = await declareAndClaim(doomed);
  expect(await world.store.workers.findGone()).toEqual([]);
  await doomed.close();
  await waitUntil(async () => (await world.store.workers.findGone()).includes("w1"));
  let wakes = 0;
  world.store.wake.onWake("jobs", () => {
    wakes += 1;
  });
  expect(await world.store.workers.endLeasesOf(["w2"])).toBe(0);
  expect(await world.store.workers.endLeasesOf(["w1"])).toBe(1);
  expect(wakes).toBeGreaterThan(0);
  expect(await world.store.workers.findGone()).toEqual([]);
  const claimed = await claimOne(world.store, workerAt({ id: "w2" }));
  expect(claimed).toMatchObject({ ref: { jobId: ref.jobId, token: 2 }, takenOver: true });
  expect(await refusalOf(world.store.jobs.recordPresent(ref, "any"))).toBe("lease-lost");
});

it("has a worker whose connection alone was cut say that it has no sign, and show it again", async () => {
  const flickering = await world.open();
  await flickering.workers.showPresence(w1);
  await declareAndClaim(flickering);
  const [before] = await world.execute(SIGNS);
  expect(await readSign()).toEqual({ backend: before?.["pid"] });
  await world.execute(KEEP_SIGNS);
  await world.execute(cut(SIGNS));
  // Until it has said so, others may take it for gone: that is why they look twice, with a pause in between.
  await waitUntil(async () => (await world.execute("select sign from said")).some(({ sign }) => sign === null));
  await waitUntil(async () => {
    expect(await world.store.workers.endLeasesOf(["w1"])).toBe(0);
    const [after] = await world.execute(SIGNS);
    return after !== undefined && after["pid"] !== before?.["pid"] && (await readSign()) !== null;
  });
  const [after] = await world.execute(SIGNS);
  expect(await readSign()).toEqual({ backend: after?.["pid"] });
  expect(await world.store.workers.findGone()).toEqual([]);
});

it("has nobody judge others just after it was cut off itself", async () => {
  const doomed = await world.open();
  await doomed.workers.showPresence(w1);
  await declareAndClaim(doomed);
  await doomed.close();
  let time = 1e6;
  const judge = await world.open({ clock: { ...systemClock, monotonic: () => time } });
  await waitUntil(async () => (await judge.workers.findGone()).includes("w1"));
  let back = false;
  judge.wake.onWake("jobs", () => {
    back = true;
  });
  await world.execute(cut(`select pid from pg_stat_activity where application_name = '${STANDING_NAME}'`));
  await waitUntil(() => back);
  expect(await judge.workers.findGone()).toEqual([]);
  expect(await judge.workers.endLeasesOf(["w1"])).toBe(0);
  time += 60_000;
  expect(await judge.workers.findGone()).toEqual(["w1"]);
});

it("lets go of the sign of a worker that leaves, and keeps those of others of its process", async () => {
  const { workers } = world.store;
  await workers.showPresence(w1);
  await workers.showPresence({ ...w1, id: "w2" });
  expect(await world.execute(SIGNS)).toHaveLength(2);
  await workers.leave("w1");
  expect(await world.execute(SIGNS)).toHaveLength(1);
});

it.each([
  ["directly, it is a sign", 7, { backend: 7 }],
  ["through a pooler, where a session may be anybody's, it is none", 8, null],
])("when the connection is made %s", async (_, pid, sign) => {
  const client = { processID: 7, query: async () => ({ rows: [{ pid }] }) } as unknown as Client;
  const users: { connected(client: Client): Promise<void> }[] = [];
  const connection = { use: (user: (typeof users)[number]) => users.push(user), client, isSteady: true };
  const signs = new SessionSigns(connection as unknown as StandingConnection);
  await users[0]?.connected(client);
  expect(await signs.show("w1")).toEqual(sign);
});
