import { connect as connectTo, createServer, type Socket } from "node:net";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { createPostgresDatabase, type TestDatabase } from "../../../test/database.ts";
import { createWorld, testKeys } from "../../../test/store-world.ts";
import { waitUntil } from "../../../test/wait-for.ts";
import { systemClock } from "../../ports/clock.ts";
import { declare, dump, refusalOf, type StoreWorld } from "../../ports/store/world.conformance.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import { openStore } from "../open-store.ts";
import { openPostgres } from "./open.ts";
import { STANDING_NAME } from "./standing-connection.ts";

const LISTENERS = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and application_name = '${STANDING_NAME}'`;
const KILL =
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";

describe("a PostgreSQL whose connections are cut", () => {
  let world: StoreWorld;

  beforeEach(async () => {
    world = await createWorld("postgres", await createPostgresDatabase());
  });
  afterEach(() => world.dispose());

  it("is used again at once, and heard again soon", async () => {
    const { store } = world;
    await declare(store, "before");
    let wakes = 0;
    store.wake.onWake("outbox", () => {
      wakes += 1;
    });
    await world.execute(KILL);
    await waitUntil(async () => (await store.upkeep.checkHealth()).ok);
    expect((await declare(store, "after")).outcome).toBe("created");
    // What was missed meanwhile has to be looked for: coming back wakes everybody.
    await waitUntil(async () => wakes > 0);
    const other = await world.open();
    const heard = wakes;
    await other.outbox.enqueue({ topic: "t", payload: 1 });
    await waitUntil(async () => wakes > heard);
    expect(await world.execute(LISTENERS)).toEqual([{ count: 2 }]);
  });

  it("tells a write in the middle that it is unreachable, and keeps nothing of it", async () => {
    const session = await openPostgres({ url: world.url, clock: systemClock });
    const write = session.write(async (tx) => {
      await sql`insert into plans (hash, body, created_at) values ('half', '{}', 1)`.execute(tx.db);
      await world.execute(KILL);
      await sql`select 1`.execute(tx.db);
    });
    expect(await refusalOf(write)).toBe("store-unreachable");
    expect(await session.read((db) => db.selectFrom("plans").selectAll().execute())).toEqual([]);
    await session.close();
  });
});

describe("a PostgreSQL that goes away and comes back", () => {
  it("is heard again on one connection, however long it took", async () => {
    const database = await createPostgresDatabase();
    const target = new URL(database.url);
    const sockets = new Set<Socket>();
    let open = true;
    let refused = 0;
    const proxy = createServer((socket) => {
      if (!open) {
        refused += 1;
        return void socket.destroy();
      }
      const upstream = connectTo(Number(target.port), target.hostname);
      for (const end of [socket, upstream]) {
        sockets.add(end);
        end
          .on("error", () => {})
          .on("close", () => {
            for (const other of [socket, upstream]) other.destroy();
          });
      }
      socket.pipe(upstream).pipe(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const { port } = proxy.address() as { port: number };
    const url = database.url.replace(`:${target.port}/`, `:${port}/`);
    const store = await openStore({ url, keys: testKeys() });
    let wakes = 0;
    store.wake.onWake("logs", () => {
      wakes += 1;
    });
    // Twice: a connection too many that the first time has left would come back with the other.
    for (const name of ["dev", "prod"]) {
      open = false;
      for (const socket of sockets) socket.destroy();
      expect(await refusalOf(store.read.findCluster("dev"))).toBe("store-unreachable");
      expect(await store.upkeep.checkHealth()).toMatchObject({ ok: false, database: "postgres" });
      const [before, heard] = [refused, wakes];
      await waitUntil(() => refused >= before + 3);
      open = true;
      await waitUntil(() => wakes > heard);
      expect((await declare(store, name)).outcome).toBe("created");
    }
    expect(await database.execute(LISTENERS)).toEqual([{ count: 1 }]);
    await store.close();
    proxy.close();
    await database.dispose();
  });
});

describe("a PostgreSQL that cannot be had", () => {
  const server = () => inject("postgresUrl");
  const open = (url: string) => openStore({ url, keys: testKeys() });

  it("is called unreachable, with where and why", async () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      const error = await open(`postgres://drover:drover@${host}:1/x`).catch((reason: Error) => reason);
      expect(error).toMatchObject({ code: "store-unreachable" });
      expect((error as Error).message).toMatch(/ECONNREFUSED.*:1\b/);
    }
    expect(await refusalOf(open(`${server()}/no_such_database`))).toBe("store-unreachable");
    expect(await refusalOf(open(`${server().replace("drover:drover@", "drover:wrong@")}/postgres`))).toBe(
      "store-unreachable",
    );
    expect(await refusalOf(open("postgres://drover@no-such-host.invalid/x"))).toBe("store-unreachable");
  });

  it("is refused unwritten when a newer Drover wrote it, or wrote it otherwise", async () => {
    const world = await createWorld("postgres", await createPostgresDatabase());
    await declare(world.store, "dev");
    const history = "select * from drover_migrations order by number";
    for (const [change, code, undo] of [
      [
        "insert into drover_migrations values (99, 'future', 'x', 1)",
        "store-too-new",
        "delete from drover_migrations where number = 99",
      ],
      [
        "update drover_migrations set checksum = 'x' || checksum where number = 1",
        "store-migration-changed",
        "select 1",
      ],
    ] as const) {
      await world.execute(change);
      const before = [await dump(world), await world.execute(history)];
      await expect(open(world.url)).rejects.toMatchObject({ code });
      expect([await dump(world), await world.execute(history)]).toEqual(before);
      await world.execute(undo);
    }
    await world.dispose();
  });
});

describe("a new PostgreSQL database", () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createPostgresDatabase({ empty: true });
  });
  afterEach(() => database.dispose());

  it("is made once by several that open it at once", async () => {
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => openStore({ url: database.url, keys: testKeys() })),
    );
    await Promise.all(stores.map((store, index) => declare(store, `c${index}`)));
    expect((await stores[0]?.read.listClusters({ limit: 9 }))?.items).toHaveLength(4);
    for (const store of stores) await store.close();
    expect(await database.execute("select number from drover_migrations order by number")).toHaveLength(
      MIGRATIONS.length,
    );
  });

  it("belongs to one master key when several open it at once with different ones", async () => {
    await (await openPostgres({ url: database.url, clock: systemClock })).close();
    const attempts = [1, 2, 3, 4].map((key) => openStore({ url: database.url, keys: testKeys(key) }));
    const settled = await Promise.allSettled(attempts);
    const refused = settled.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
    for (const result of settled) if (result.status === "fulfilled") await result.value.close();
    expect(refused).toEqual(["master-key-wrong", "master-key-wrong", "master-key-wrong"]);
  });

  it("has nothing of a migration that failed", async () => {
    const broken = { number: 2, name: "broken", sql: () => ["create table half (a text)", "create nonsense"] };
    const migrations = [...MIGRATIONS.slice(0, 1), broken];
    await expect(openPostgres({ url: database.url, clock: systemClock, migrations })).rejects.toThrow(/syntax/);
    expect(await database.execute("select to_regclass('half') as half, to_regclass('clusters') as clusters")).toEqual([
      { half: null, clusters: null },
    ]);
  });
});
