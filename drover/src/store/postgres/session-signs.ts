import { sql } from "kysely";
import type { Client } from "pg";
import type { Json } from "../../ports/store/index.ts";
import type { Db, LifeSigns, SignedWorker } from "../session.ts";
import { postgresDialect } from "./dialect.ts";
import type { StandingConnection } from "./standing-connection.ts";

/** In front of the id of a worker, as others may use advisory locks in this database too. */
const LOCK_PREFIX = "drover worker ";

/**
 * A worker lives as long as its standing connection holds a lock of its name: the server lets go of it the moment it
 * hears that the connection is closed, as it is when the process ends. Workers share their lock and whoever looks asks
 * for it alone, so a worker whose former connection still seems to be there gets it all the same.
 */
export class SessionSigns implements LifeSigns {
  readonly #connection: StandingConnection;
  readonly #shown = new Set<string>();
  readonly #locked = new Set<string>();
  readonly #listeners: (() => void)[] = [];
  #backend: number | null = null;

  constructor(connection: StandingConnection) {
    this.#connection = connection;
    connection.use({
      connected: async (client) => {
        this.#backend = await findBackend(client);
        this.#locked.clear();
        for (const workerId of this.#shown) await this.#lock(client, workerId);
      },
      lost: () => this.#changed(),
      back: () => this.#changed(),
    });
  }

  async show(workerId: string): Promise<Json | null> {
    this.#shown.add(workerId);
    const { client } = this.#connection;
    if (client === null || this.#backend === null) return null;
    if (!this.#locked.has(workerId)) await this.#lock(client, workerId);
    return this.#connection.client === client ? { backend: this.#backend } : null;
  }

  async hide(workerId: string): Promise<void> {
    this.#shown.delete(workerId);
    if (!this.#locked.delete(workerId)) return;
    await this.#connection.client?.query("select pg_advisory_unlock_shared(hashtextextended($1, 0))", [
      LOCK_PREFIX + workerId,
    ]);
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async findGone(db: Db, workers: readonly SignedWorker[]): Promise<readonly string[]> {
    if (workers.length === 0 || !this.#connection.isSteady) return [];
    const listed = postgresDialect.rows(
      workers.map(({ id }) => ({ id })),
      { id: "text" },
    );
    const gone = await sql<{ id: string }>`
      select id from ${listed} as workers
      where pg_try_advisory_xact_lock(hashtextextended(${LOCK_PREFIX}::text || id, 0))`.execute(db);
    return gone.rows.map(({ id }) => id);
  }

  async #lock(client: Client, workerId: string): Promise<void> {
    await client.query("select pg_advisory_lock_shared(hashtextextended($1, 0))", [LOCK_PREFIX + workerId]);
    this.#locked.add(workerId);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Null behind a pooler, which lends sessions out in turns: a lock there belongs to nobody's life. */
async function findBackend(client: Client): Promise<number | null> {
  const { rows } = await client.query("select pg_backend_pid() as pid");
  const told = (client as Client & { readonly processID?: number | null }).processID;
  return told !== undefined && rows[0].pid === told ? told : null;
}
