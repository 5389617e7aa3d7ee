import { Kysely, PostgresDialect, sql } from "kysely";
import type { Pool } from "pg";
import { failpoint } from "../../lib/failpoint.ts";
import type { Clock } from "../../ports/clock.ts";
import type { WakeTopic } from "../../ports/store/index.ts";
import type { Database } from "../database.ts";
import { closedError, type Db, type LifeSigns, type Session, type Tx, type WakeHub } from "../session.ts";
import { postgresDialect } from "./dialect.ts";
import { isPostgresConflict, translatePostgresError } from "./errors.ts";
import type { StandingConnection } from "./standing-connection.ts";
import { WAKE_CHANNEL } from "./wake-listener.ts";

/** How often a transaction that lost against another one is run again before the conflict is passed on. */
const CONFLICT_TRIES = 5;
/** Whoever walks over everything may have to wait for a slow disk meanwhile, and keeps nobody from anything. */
const IDLE_SNAPSHOT_MS = 600_000;

export class PostgresSession implements Session {
  readonly dialect = postgresDialect;
  readonly wake: WakeHub;
  readonly clock: Clock;
  readonly life: LifeSigns;
  readonly #pool: Pool;
  readonly #db: Kysely<Database>;
  readonly #connection: StandingConnection;
  #closing: Promise<void> | null = null;

  constructor(options: {
    pool: Pool;
    connection: StandingConnection;
    wake: WakeHub;
    life: LifeSigns;
    clock: Clock;
  }) {
    this.#pool = options.pool;
    this.#connection = options.connection;
    this.life = options.life;
    this.wake = options.wake;
    this.clock = options.clock;
    this.#db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: options.pool }) });
  }

  /** Whoever commits was under way, and so listed in the snapshot before, or has got a number behind its end. */
  async changeStamp(): Promise<string> {
    return await this.read(async (db) => {
      const { rows } = await sql<{ stamp: string }>`select pg_current_snapshot()::text as stamp`.execute(db);
      return String(rows[0]?.stamp);
    });
  }

  async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    this.#assertOpen();
    try {
      return await work(this.#db);
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  async snapshot<T>(work: (db: Db) => Promise<T>): Promise<T> {
    this.#assertOpen();
    try {
      const snapshot = this.#db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
      return await snapshot.execute(async (db) => {
        await sql`set local idle_in_transaction_session_timeout = ${sql.lit(IDLE_SNAPSHOT_MS)}`.execute(db);
        return await work(db);
      });
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#assertOpen();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#writeOnce(work);
      } catch (error) {
        if (attempt >= CONFLICT_TRIES || !isPostgresConflict(error)) throw translatePostgresError(error);
      }
    }
  }

  async #writeOnce<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const topics = new Set<WakeTopic>();
    const value = await this.#db.transaction().execute(async (db) => {
      const result = await work({ db, dialect: this.dialect, wake: (topic) => void topics.add(topic) });
      // Once per transaction: a commit with a notification takes a lock that all such commits share.
      if (topics.size > 0) await sql`select pg_notify(${WAKE_CHANNEL}, ${[...topics].join(",")})`.execute(db);
      failpoint("store.before-commit");
      return result;
    });
    failpoint("store.after-commit");
    this.wake.fire(topics);
    return value;
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** What is under way is let end: the pool waits for its connections. */
  async #end(): Promise<void> {
    await this.#connection.close();
    await this.#pool.end();
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw closedError();
  }
}
