import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countingClock } from "../../../test/counting-clock.ts";
import { createPostgresDatabase } from "../../../test/database.ts";
import { createWorld } from "../../../test/store-world.ts";
import { waitUntil } from "../../../test/wait-for.ts";
import { systemClock } from "../../ports/clock.ts";
import { breakTable, declare, failureOf, type StoreWorld } from "../../ports/store/world.conformance.ts";

/** For whoever is not to wait long: two seconds of patience go by in twenty milliseconds. */
const hasty = { now: () => Date.now(), monotonic: () => systemClock.monotonic() * 100 };

describe("events that PostgreSQL commits out of order", () => {
  let world: StoreWorld;
  let writer: pg.Client;

  beforeEach(async () => {
    world = await createWorld("postgres", await createPostgresDatabase());
    writer = new pg.Client({ connectionString: world.url });
    await writer.connect();
  });
  afterEach(async () => {
    await writer.end();
    await world.dispose();
  });

  /** Draws a cursor in a transaction that stays open. */
  const begin = async (name: string) => {
    await writer.query("begin");
    await writer.query(`insert into events (at, kind, cluster_name, body) values (1, 'slow', '${name}', '{}')`);
  };
  const namesOf = (read: { events: readonly { clusterName: string | null }[] }) =>
    read.events.map(({ clusterName }) => clusterName);
  /** Whoever waits for a writer does so for ever: an answer shows that nobody was waited for, or the end of a wait. */
  const openPatient = async () => {
    const clock = countingClock();
    return { clock, reader: await world.open({ clock }) };
  };

  it("are not passed before the earlier one is there", async () => {
    const { store } = world;
    const reader = await world.open({ clock: hasty });
    await declare(store, "first");
    await begin("slow");
    await declare(store, "later");
    const early = await reader.read.readEvents({ after: 0, limit: 10 });
    expect(namesOf(early)).toEqual(["first"]);
    expect(await reader.read.readEvents({ after: early.cursor, limit: 10 })).toEqual({
      events: [],
      cursor: early.cursor,
    });
    expect(await reader.read.lastEventCursor()).toBe(early.cursor);
    await writer.query("commit");
    const late = await reader.read.readEvents({ after: early.cursor, limit: 10 });
    expect(namesOf(late)).toEqual(["slow", "later"]);
    expect(await reader.read.lastEventCursor()).toBe(late.cursor);
  });

  it("are not passed by a reader of one cluster either", async () => {
    const reader = await world.open({ clock: hasty });
    await begin("slow");
    const { cluster } = await declare(world.store, "later");
    const query = { limit: 10, clusterId: cluster.id };
    expect(await reader.read.readEvents({ ...query, after: 0 })).toEqual({ events: [], cursor: 0 });
    await writer.query(`update events set cluster_id = '${cluster.id}' where kind = 'slow'`);
    await writer.query("commit");
    expect(namesOf(await reader.read.readEvents({ ...query, after: 0 }))).toEqual(["slow", "later"]);
  });

  it("are both answered when the earlier one commits while the reader waits", async () => {
    await begin("slow");
    await declare(world.store, "later");
    const { clock, reader } = await openPatient();
    const before = clock.looks;
    const reading = reader.read.readEvents({ after: 0, limit: 10 });
    await waitUntil(() => clock.looks >= before + 3);
    await writer.query("commit");
    expect(namesOf(await reading)).toEqual(["slow", "later"]);
  });

  it("are not held up by a writer that gave up", async () => {
    await begin("never");
    await writer.query("rollback");
    await declare(world.store, "later");
    const { reader } = await openPatient();
    expect(namesOf(await reader.read.readEvents({ after: 0, limit: 10 }))).toEqual(["later"]);
  });

  it("are not held up by a writer that dies", async () => {
    await begin("never");
    await declare(world.store, "later");
    const { clock, reader } = await openPatient();
    const before = clock.looks;
    const reading = reader.read.readEvents({ after: 0, limit: 10 });
    await waitUntil(() => clock.looks >= before + 2);
    writer.on("error", () => {});
    await world.execute(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%slow%' and pid <> pg_backend_pid()",
    );
    expect(namesOf(await reading)).toEqual(["later"]);
  });

  it("are not held up by a long transaction that writes no events", async () => {
    await writer.query("begin");
    await writer.query(
      "insert into settings (key, value, version, updated_at, updated_by) values ('a', '1', 1, 1, 'x')",
    );
    await breakTable(world, "audit", "insert", "new.object_name = 'broken'");
    expect(await failureOf(declare(world.store, "broken"))).toContain("broken");
    await declare(world.store, "later");
    const { reader } = await openPatient();
    expect(namesOf(await reader.read.readEvents({ after: 0, limit: 10 }))).toEqual(["later"]);
    await writer.query("rollback");
  });

  it("are not held up by writers in another database", async () => {
    const other = await createWorld("postgres", await createPostgresDatabase());
    const elsewhere = new pg.Client({ connectionString: other.url });
    await elsewhere.connect();
    await elsewhere.query("begin");
    await elsewhere.query("insert into events (at, kind, body) values (1, 'slow', '{}')");
    await begin("never");
    await writer.query("rollback");
    await declare(world.store, "here");
    const { reader } = await openPatient();
    expect(namesOf(await reader.read.readEvents({ after: 0, limit: 10 }))).toEqual(["here"]);
    await elsewhere.end();
    await other.dispose();
  });
});
