import { sql } from "kysely";
import { type Dialect, rowsAsJson } from "../session.ts";

/** Not `now()`, which stands still for a whole transaction. A subquery is asked once per statement, not once per row. */
const clockMs = sql<number>`(select (extract(epoch from clock_timestamp()) * 1000)::bigint)`;

export const postgresDialect: Dialect = {
  kind: "postgres",
  now: () => clockMs,
  leaseNow: () => clockMs,
  forUpdate: sql` for update`,
  forShare: sql` for share`,
  forUpdateSkipLocked: sql` for update skip locked`,
  rows: (list, columns) => {
    const fields = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
    // Named here because PostgreSQL wants the columns at the alias; the caller's own alias follows.
    return sql`(select * from json_to_recordset(${rowsAsJson(list)}::json) as listed (${sql.join(fields)}))`;
  },
};
