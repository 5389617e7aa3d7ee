import { sql } from "kysely";
import type { Clock } from "../../ports/clock.ts";
import { type Dialect, rowsAsJson } from "../session.ts";

export function sqliteDialect(clock: Clock): Dialect {
  return {
    kind: "sqlite",
    now: () => sql.val(clock.now()),
    leaseNow: () => sql.val(clock.monotonic()),
    forUpdate: sql``,
    forShare: sql``,
    forUpdateSkipLocked: sql``,
    rows: (list, columns) => {
      const fields = Object.entries(columns).map(
        ([name, type]) =>
          sql`cast(value ->> ${sql.lit(name)} as ${sql.raw(type === "bigint" ? "integer" : "text")}) as ${sql.ref(name)}`,
      );
      // The limit makes SQLite read the list once; otherwise it may read it anew for every row that it is joined with.
      return sql`(select ${sql.join(fields)} from json_each(${rowsAsJson(list)}) limit -1)`;
    },
  };
}
