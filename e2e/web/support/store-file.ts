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

const TABLES = ["clusters", "cluster_labels", "revisions", "observations"] as const;
const ROWS_AT_ONCE = 250;

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
    for (const table of TABLES) {
      const key = table === "clusters" ? "id" : "cluster_id";
      for (const row of database.all(`select * from ${table} where ${key} = ?`, [id])) {
        insertCopies(database, table, row, { id, name }, names);
      }
    }
    database.run("update looks set due_at = 9e15, health_due_at = 9e15 where cluster_id like ?", [`${id}-%`]);
    database.exec("commit");
  });
}

function insertCopies(
  database: RawDatabase,
  table: string,
  row: SqlRow,
  { id, name }: { readonly id: string; readonly name: string },
  names: readonly string[],
): void {
  const columns = Object.keys(row);
  const places = `(${columns.map(() => "?").join(", ")})`;
  const copyOf = (column: string, copy: string): SqlValue => {
    const value = row[column] ?? null;
    if (value === id) return `${id}-${copy}`;
    return ["name", "search_text"].includes(column) ? String(value).replaceAll(name, copy) : value;
  };
  for (let from = 0; from < names.length; from += ROWS_AT_ONCE) {
    const some = names.slice(from, from + ROWS_AT_ONCE);
    const values = some.flatMap((copy) => columns.map((column) => copyOf(column, copy)));
    const sql = `insert into ${table} (${columns.join(", ")}) values ${some.map(() => places).join(", ")}`;
    database.run(sql, values);
  }
}
