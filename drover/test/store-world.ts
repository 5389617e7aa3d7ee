import { rmSync } from "node:fs";
import { type Clock, systemClock } from "../src/ports/clock.ts";
import type { Store } from "../src/ports/store/index.ts";
import type { StoreSubject, StoreWorld } from "../src/ports/store/world.conformance.ts";
import { openStore } from "../src/store/open-store.ts";
import { type KeyRing, masterKey } from "../src/store/secrets/key-ring.ts";
import { openRawDatabase, type SqliteDriverName } from "../src/store/sqlite/raw-database.ts";
import { createPostgresDatabase, createSqliteDatabase, type TestDatabase } from "./database.ts";
import { makeTempFolder } from "./temp-folder.ts";

/** The master keys of tests, by number. */
export const testKeys = (current = 1, older: readonly number[] = []): KeyRing => {
  const key = (number: number) => masterKey(Buffer.alloc(32, number));
  return { current: key(current), older: older.map(key) };
};

/** Many at once wait for a few connections: how long that takes is the machine's affair. Only catches hangs. */
const PATIENCE_MS = 100_000;

export async function createWorld(
  kind: StoreWorld["database"],
  database: TestDatabase,
  options: { sqliteDriver?: SqliteDriverName } = {},
): Promise<StoreWorld> {
  const opened: Store[] = [];
  const folder = makeTempFolder("world");
  const open = async ({ key = 1, older = [] as readonly number[], clock = systemClock as Clock } = {}) => {
    const pool = { connections: 6, connectMs: PATIENCE_MS };
    const store = await openStore({ url: database.url, keys: testKeys(key, older), clock, ...pool, ...options });
    opened.push(store);
    return store;
  };
  return {
    database: kind,
    url: database.url,
    store: await open(),
    open,
    execute: (sql) => database.execute(sql),
    folder,
    dispose: async () => {
      await Promise.all(opened.splice(0).map((store) => store.close()));
      rmSync(folder, { recursive: true, force: true });
      await database.dispose();
    },
  };
}

export const postgresSubject: StoreSubject = {
  name: "PostgreSQL 18",
  create: async () => await createWorld("postgres", await createPostgresDatabase()),
};

export const sqliteSubject = (driver: SqliteDriverName): StoreSubject => ({
  name: `SQLite (${driver})`,
  create: async () => {
    const database = createSqliteDatabase((file) => openRawDatabase(file, { driver }));
    return await createWorld("sqlite", database, { sqliteDriver: driver });
  },
});
