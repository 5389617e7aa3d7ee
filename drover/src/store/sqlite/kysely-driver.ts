import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Database } from "../database.ts";
import { translateSqliteError } from "./errors.ts";
import type { RawDatabase, SqlValue } from "./raw-database.ts";

const READS = /^\s*(select|with|pragma|explain|values)\b/i;
const RETURNS = /\breturning\b/i;

/** Transactions are not begun here: the session's writer does that, so that several writes can share one commit. */
class SingleConnectionDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(raw: RawDatabase, file: string) {
    this.#connection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        try {
          const parameters = query.parameters as readonly SqlValue[];
          if (READS.test(query.sql) || RETURNS.test(query.sql)) {
            return { rows: raw.all(query.sql, parameters) as R[] };
          }
          return { rows: [], numAffectedRows: BigInt(raw.run(query.sql, parameters).changes) };
        } catch (error) {
          throw translateSqliteError(error, file);
        }
      },
      // biome-ignore lint/correctness/useYield: SQLite answers whole results; nothing here streams.
      async *streamQuery(): AsyncGenerator<never> {
        throw new Error("Streaming is not supported on SQLite");
      },
    };
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async beginTransaction(): Promise<void> {
    throw new Error("Write through the session, not through Kysely's transactions");
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

export function kyselyOnSqlite(raw: RawDatabase, file: string): Kysely<Database> {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new SingleConnectionDriver(raw, file),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}
