import { createRequire } from "node:module";

export type SqlValue = null | number | bigint | string | Uint8Array;
export type SqlRow = Record<string, SqlValue>;

/** The little that we ask of a SQLite driver. */
export interface RawDatabase {
  exec(sql: string): void;
  /** Rows of a query, or of a statement with `returning`. */
  all(sql: string, parameters: readonly SqlValue[]): SqlRow[];
  run(sql: string, parameters: readonly SqlValue[]): { changes: number };
  close(): void;
}

interface Statement {
  readonly all: (...parameters: SqlValue[]) => unknown[];
  readonly run: (...parameters: SqlValue[]) => { changes: number | bigint };
}

interface DriverDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): unknown;
}

/** More than all the different statements that this program makes, batches of varying length aside. */
const STATEMENTS_KEPT = 500;

export type SqliteDriverName = "node:sqlite" | "libsql";

const require = createRequire(import.meta.url);

/** `node:sqlite` where Node.js has it (22.13 and up without a flag), libsql otherwise. */
export function findSqliteDriver(): SqliteDriverName {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 13) ? "node:sqlite" : "libsql";
}

function openDriver(driver: SqliteDriverName, file: string, readOnly: boolean): DriverDatabase {
  if (driver === "node:sqlite") {
    const { DatabaseSync } = require("node:sqlite") as {
      DatabaseSync: new (file: string, options: object) => DriverDatabase;
    };
    return new DatabaseSync(file, { readOnly, timeout: 0 });
  }
  const Libsql = require("libsql") as new (file: string, options: object) => DriverDatabase;
  return new Libsql(file, { readonly: readOnly, fileMustExist: readOnly, timeout: 0 });
}

export function openRawDatabase(
  file: string,
  options: { readOnly?: boolean; driver?: SqliteDriverName } = {},
): RawDatabase {
  const driver = options.driver ?? findSqliteDriver();
  const database = openDriver(driver, file, options.readOnly ?? false);
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    if (statements.size >= STATEMENTS_KEPT) statements.delete(statements.keys().next().value as string);
    statements.set(sql, statement);
    return statement;
  };
  return {
    exec: (sql) => void database.exec(sql),
    all: (sql, parameters) => prepare(sql).all(...parameters) as SqlRow[],
    run: (sql, parameters) => ({ changes: Number(prepare(sql).run(...parameters).changes) }),
    close: () => {
      statements.clear();
      // libsql lets go of a file only when its statements have been collected: nothing may stay locked until then.
      try {
        database.exec("rollback");
      } catch {
        // No transaction was open.
      }
      database.close();
    },
  };
}
