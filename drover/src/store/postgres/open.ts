import { DroverError } from "@drover/contract";
import pg from "pg";
import type { Clock } from "../../ports/clock.ts";
import type { Migration } from "../migrations/index.ts";
import { checkHistory, type MigrationTarget, runMigrations } from "../migrations/run-migrations.ts";
import { type SettingGuard, WakeHub } from "../session.ts";
import { translatePostgresError } from "./errors.ts";
import { PostgresSession } from "./session.ts";
import { SessionSigns } from "./session-signs.ts";
import { STANDING_NAME, StandingConnection } from "./standing-connection.ts";
import { listenForWakes } from "./wake-listener.ts";

export interface OpenPostgres {
  readonly url: string;
  readonly clock: Clock;
  readonly connections?: number;
  /** How long to wait for a connection, a new one or one that somebody else has, before it is called unreachable. */
  readonly connectMs?: number;
  readonly guard?: SettingGuard;
  /** How long a write may stand still before the server ends it. */
  readonly idleWriteMs?: number;
  /** For tests of upgrades and downgrades. */
  readonly migrations?: readonly Migration[];
}

/** Any two numbers that nobody else uses as an advisory lock in this database. */
const MIGRATION_LOCK = "1146244438, 2";
const OLDEST_SERVER = 140_000;
const DEFAULT_CONNECTIONS = 10;
const DEFAULT_CONNECT_MS = 10_000;
/**
 * A process that is stopped, or whose machine is, in the middle of a write keeps the rows it has locked from everybody:
 * its jobs could not be taken over before this has passed, once for each write that it had under way. As long as the
 * default lease.
 */
const DEFAULT_IDLE_WRITE_MS = 10_000;

const INT8 = 20;
const types: pg.CustomTypesConfig = {
  // Counters and milliseconds: all of ours are far below 2^53.
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === INT8 && format !== "binary" ? Number : pg.types.getTypeParser(oid, format as "text"),
};

export async function openPostgres(options: OpenPostgres): Promise<PostgresSession> {
  const config: pg.PoolConfig = {
    connectionString: options.url,
    types,
    max: options.connections ?? DEFAULT_CONNECTIONS,
    application_name: "drover",
    connectionTimeoutMillis: options.connectMs ?? DEFAULT_CONNECT_MS,
    statement_timeout: 60_000,
    lock_timeout: 30_000,
    idle_in_transaction_session_timeout: options.idleWriteMs ?? DEFAULT_IDLE_WRITE_MS,
    keepAlive: true,
  };
  const pool = new pg.Pool(config);
  // A connection that is cut must not end the process, neither while it is idle nor between two statements of a
  // transaction: the next query on it fails, and the one after that opens a new one.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const wake = new WakeHub();
  const standing = { ...config, application_name: STANDING_NAME, statement_timeout: 0 };
  const connection = new StandingConnection(standing, options.clock);
  listenForWakes(connection, wake);
  const life = new SessionSigns(connection);
  try {
    await migrate(pool, options);
    await connection.connect();
    return new PostgresSession({ pool, connection, wake, life, clock: options.clock });
  } catch (error) {
    await connection.close();
    await pool.end();
    throw translatePostgresError(error);
  }
}

async function migrate(pool: pg.Pool, { migrations, guard }: OpenPostgres): Promise<void> {
  const client = await pool.connect();
  try {
    const server = Number((await client.query("show server_version_num")).rows[0].server_version_num);
    if (server < OLDEST_SERVER) {
      throw new DroverError(
        "store-unreachable",
        `PostgreSQL ${Math.floor(server / 10_000)} is too old: Drover needs 14 or newer.`,
      );
    }
    const target = migrationTarget(client);
    // Looked at first without a lock or a transaction: a newer schema is left alone, an equal one needs nothing.
    const applied = await target.listApplied();
    if (applied !== null) checkHistory(applied, "postgres", migrations);
    if (applied !== null && guard !== undefined) {
      const setting = await client.query("select value from settings where key = $1", [guard.key]);
      if (setting.rows[0] !== undefined) guard.check(setting.rows[0].value as string);
    }
    await client.query("begin");
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await runMigrations(target, migrations);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

function migrationTarget(client: pg.PoolClient): MigrationTarget {
  return {
    kind: "postgres",
    exec: async (statement) => void (await client.query(statement)),
    listApplied: async () => {
      const there = await client.query("select to_regclass('drover_migrations') is not null as there");
      if (there.rows[0].there !== true) return null;
      return (await client.query("select number, name, checksum from drover_migrations order by number")).rows;
    },
    recordApplied: async ({ number, name, checksum }) =>
      void (await client.query(
        `insert into drover_migrations (number, name, checksum, applied_at)
         values ($1, $2, $3, (extract(epoch from clock_timestamp()) * 1000)::bigint)`,
        [number, name, checksum],
      )),
  };
}
