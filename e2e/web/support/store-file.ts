import { join } from "node:path";
import {
  openRawDatabase,
  type RawDatabase,
  type SqlRow,
  type SqlValue,
} from "../../../drover/src/store/sqlite/raw-database.ts";
import type { Place } from "../../support/place.ts";

/** Works on the database of a place behind the back of its server, for what would take too long to come about by itself. */
export function inDatabase<T>(place: Place, work: (database: RawDatabase) => T): T {
  const database = openRawDatabase(join(place.folder, "data/drover.db"));
  try {
    database.exec("pragma busy_timeout = 20000");
    return work(database);
  } finally {
    database.close();
  }
}

/** Adds lines to the log of a job that has ended. */
export function appendLines(place: Place, jobId: string, texts: readonly string[]): void {
  inDatabase(place, (database) => {
    const [last] = database.all("select max(last_line) as line from log_chunks where job_id = ?", [jobId]);
    const first = Number(last?.line ?? 0) + 1;
    const now = Date.now();
    const body = JSON.stringify(texts.map((text) => [now, "", "", "stdout", text]));
    database.run("insert into log_chunks (job_id, first_line, last_line, body, created_at) values (?, ?, ?, ?, ?)", [
      jobId,
      first,
      first + texts.length - 1,
      body,
      now,
    ]);
  });
}

const ROWS_AT_ONCE = 250;

/** Copies the first row that meets a condition; `change` says what is different in each copy. */
export function copyRows(
  place: Place,
  table: string,
  where: string,
  count: number,
  change: (row: SqlRow, index: number) => SqlRow,
): void {
  inDatabase(place, (database) => {
    const [row] = database.all(`select * from ${table} where ${where} limit 1`, []);
    if (row === undefined) throw new Error(`There is no row in ${table} to copy.`);
    database.exec("begin immediate");
    insertCopies(database, table, row, count, change);
    database.exec("commit");
  });
}

const CLUSTER_TABLES = ["clusters", "cluster_labels", "revisions", "observations"] as const;

/**
 * Copies a cluster until there are `count` more, named after it with their number behind. Nobody looks at the copies:
 * their provider would not know them.
 */
export function copyCluster(place: Place, name: string, count: number): void {
  const numbers = Array.from({ length: count }, (_, number) => String(number).padStart(5, "0"));
  copyClusterAs(
    place,
    name,
    numbers.map((number) => `${name}-${number}`),
  );
}

/** The same, under these names. */
export function copyClusterAs(place: Place, name: string, names: readonly string[]): void {
  inDatabase(place, (database) => {
    const [cluster] = database.all("select id from clusters where name = ? and deleted_at is null", [name]);
    if (cluster === undefined) throw new Error(`There is no cluster ${name} to copy.`);
    const id = String(cluster.id);
    database.exec("begin immediate");
    for (const table of CLUSTER_TABLES) {
      const key = table === "clusters" ? "id" : "cluster_id";
      for (const row of database.all(`select * from ${table} where ${key} = ?`, [id])) {
        insertCopies(database, table, row, names.length, (_, index) =>
          renameCopy(row, { id, name }, names[index] ?? ""),
        );
      }
    }
    database.run("update looks set due_at = 9e15, health_due_at = 9e15 where cluster_id like ?", [`${id}-%`]);
    database.exec("commit");
  });
}

function renameCopy(row: SqlRow, { id, name }: { readonly id: string; readonly name: string }, copy: string): SqlRow {
  const changed = Object.entries(row).flatMap(([column, value]): [string, SqlValue][] => {
    if (value === id) return [[column, `${id}-${copy}`]];
    const isName = column === "name" || column === "search_text";
    return isName ? [[column, String(value).replaceAll(name, copy)]] : [];
  });
  return Object.fromEntries(changed);
}

function insertCopies(
  database: RawDatabase,
  table: string,
  row: SqlRow,
  count: number,
  change: (row: SqlRow, index: number) => SqlRow,
): void {
  const columns = Object.keys(row);
  const places = `(${columns.map(() => "?").join(", ")})`;
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const copies = Array.from({ length: Math.min(ROWS_AT_ONCE, count - from) }, (_, at) => ({
      ...{ ...row, ...change(row, from + at) },
    }));
    const values = copies.flatMap((copy) => columns.map((column) => copy[column] ?? null));
    const sql = `insert into ${table} (${columns.join(", ")}) values ${copies.map(() => places).join(", ")}`;
    database.run(sql, values);
  }
}
