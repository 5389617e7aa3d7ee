import type { Row, SharedDatabase } from "./databases.ts";
import { actor, openSharedStore, specOf } from "./store.ts";

const ROWS_PER_INSERT = 500;

/**
 * Declares one cluster and copies it, with its revision and its waiting job, until there are `count`. The copies are
 * written behind the store's back: they have to be there quickly, and nothing is claimed about how they came.
 */
export async function declareMany(database: SharedDatabase, count: number): Promise<void> {
  const store = await openSharedStore(database.url);
  await store.desired.declareCluster({ name: "c", spec: specOf(0), jobKind: "create", actor });
  await store.close();
  for (const table of ["clusters", "revisions", "jobs"]) {
    const [template] = await database.query(`select * from ${table}`);
    if (template === undefined) throw new Error(`The declared cluster left no row in ${table}.`);
    for (let from = 1; from < count; from += ROWS_PER_INSERT) {
      const copies = Array.from({ length: Math.min(ROWS_PER_INSERT, count - from) }, (_, at) =>
        copy(template, from + at),
      );
      await database.query(`insert into ${table} (${Object.keys(template).join(", ")}) values ${copies.join(", ")}`);
    }
  }
  // What a server does by itself within a minute of such a load.
  if (database.kind === "postgres") await database.query("analyze");
}

/** Nothing else of a row has to differ from its siblings. */
const IDENTITY = new Set(["id", "cluster_id", "name"]);

function copy(template: Row, number: number): string {
  const values = Object.entries(template).map(([column, value]) =>
    literal(IDENTITY.has(column) ? `${String(value)}-${number}` : value),
  );
  return `(${values.join(", ")})`;
}

function literal(value: string | number | null): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}
