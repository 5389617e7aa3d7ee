import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPostgresDatabase, type TestDatabase } from "../../../test/database.ts";
import { systemClock } from "../../ports/clock.ts";
import { failureOf, refusalOf } from "../../ports/store/world.conformance.ts";
import type { Tx } from "../session.ts";
import { translatePostgresError } from "./errors.ts";
import { openPostgres } from "./open.ts";
import type { PostgresSession } from "./session.ts";

describe("writes that meet on PostgreSQL", () => {
  let database: TestDatabase;
  let session: PostgresSession;

  beforeEach(async () => {
    database = await createPostgresDatabase();
    session = await openPostgres({ url: database.url, clock: systemClock });
    await database.execute("insert into plans (hash, body, created_at) values ('a', '0', 1), ('b', '0', 1)");
  });
  afterEach(async () => {
    await session.close();
    await database.dispose();
  });

  const raise = (tx: Tx, state: string) =>
    sql.raw(`do $$ begin raise exception 'on purpose' using errcode = '${state}'; end $$`).execute(tx.db);
  const count = (tx: Tx, hash: string) =>
    sql`update plans set body = (body::int + 1)::text where hash = ${hash}`.execute(tx.db);

  it("are run again when the database ended one for a deadlock, and both are done once", async () => {
    const gate = gateOf();
    let arrived = 0;
    let runs = 0;
    const meet = async () => {
      arrived += 1;
      if (arrived === 2) gate.resolve(undefined);
      if (arrived <= 2) await gate.promise;
    };
    const both = (first: string, second: string) =>
      session.write(async (tx) => {
        runs += 1;
        await count(tx, first);
        await meet();
        await count(tx, second);
      });
    await Promise.all([both("a", "b"), both("b", "a")]);
    expect(runs).toBeGreaterThan(2);
    expect(await database.execute("select hash, body from plans order by hash")).toEqual([
      { hash: "a", body: "2" },
      { hash: "b", body: "2" },
    ]);
  });

  it("are run again a few times, then the conflict is told", async () => {
    let runs = 0;
    const write = session.write(async (tx) => {
      runs += 1;
      await count(tx, "a");
      await raise(tx, "40001");
    });
    expect(await failureOf(write)).toContain("on purpose");
    expect(runs).toBe(5);
    expect(await database.execute("select body from plans where hash = 'a'")).toEqual([{ body: "0" }]);
  });

  it("are not run again for any other reason", async () => {
    let runs = 0;
    const write = session.write(async (tx) => {
      runs += 1;
      await count(tx, "a");
      await raise(tx, "23514");
    });
    expect(await failureOf(write)).toContain("on purpose");
    expect(runs).toBe(1);
    expect(await database.execute("select body from plans where hash = 'a'")).toEqual([{ body: "0" }]);
  });

  it("wake nobody when they fail", async () => {
    const wakes: string[] = [];
    for (const topic of ["jobs", "outbox"] as const) session.wake.onWake(topic, () => wakes.push(topic));
    const write = session.write(async (tx) => {
      tx.wake("jobs");
      await raise(tx, "23514");
    });
    expect(await failureOf(write)).toContain("on purpose");
    await session.write(async (tx) => tx.wake("outbox"));
    // At once, and once more when the server tells of it, which tells in the order of the commits.
    await expect.poll(() => wakes).toHaveLength(2);
    expect(wakes).toEqual(["outbox", "outbox"]);
  });

  it("are told what to do about it in the words of the catalogue", async () => {
    const told = (state: string) => refusalOf(session.write((tx) => raise(tx, state)));
    expect(await told("53100")).toBe("store-full");
    expect(await told("XX001")).toBe("store-damaged");
    expect(await told("55P03")).toBe("store-locked");
    expect(await told("57014")).toBe("store-locked");
    expect(await told("57P01")).toBe("store-unreachable");
    expect(await told("08006")).toBe("store-unreachable");
  });

  it("that wait too long for another are told so, and change nothing", async () => {
    const held = session.write(async (tx) => {
      await count(tx, "a");
      const waiting = session.write(async (rival) => {
        await sql`set local lock_timeout = '40ms'`.execute(rival.db);
        await count(rival, "b");
        await count(rival, "a");
      });
      expect(await refusalOf(waiting)).toBe("store-locked");
    });
    await held;
    expect(await database.execute("select hash, body from plans order by hash")).toEqual([
      { hash: "a", body: "1" },
      { hash: "b", body: "0" },
    ]);
  });
});

describe("what the driver says of a connection", () => {
  it("is called unreachable, whatever its words", () => {
    for (const message of [
      "Connection terminated",
      "Connection terminated unexpectedly",
      "Connection terminated due to connection timeout",
      "timeout exceeded when trying to connect",
      "timeout expired",
      "Client has encountered a connection error and is not queryable",
    ]) {
      expect(translatePostgresError(new Error(message))).toMatchObject({ code: "store-unreachable" });
    }
    for (const code of [
      "ECONNREFUSED",
      "EHOSTUNREACH",
      "ENETUNREACH",
      "EAI_AGAIN",
      "ENOTFOUND",
      "ECONNRESET",
      "EPIPE",
    ]) {
      expect(translatePostgresError(Object.assign(new Error("x"), { code }))).toMatchObject({
        code: "store-unreachable",
      });
    }
  });

  it("is told with the reason of each address", () => {
    const error = Object.assign(new AggregateError([new Error("no ::1"), new Error("no 127.0.0.1")], ""), {
      code: "ECONNREFUSED",
    });
    expect((translatePostgresError(error) as Error).message).toContain("no ::1, no 127.0.0.1");
  });

  it("is left alone when it is about something else", () => {
    const bug = new TypeError("undefined is not a function");
    expect(translatePostgresError(bug)).toBe(bug);
    expect(translatePostgresError("text")).toBe("text");
  });
});

function gateOf(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
