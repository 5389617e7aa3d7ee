import { sql } from "kysely";
import type { Lease, LeaseStore } from "../../ports/store/index.ts";
import type { Database } from "../database.ts";
import type { Session } from "../session.ts";

const toLease = (row: Database["leases"]): Lease => ({
  key: row.key,
  holder: row.holder,
  token: row.token,
  data: JSON.parse(row.data),
});

export function leaseStore(session: Session): LeaseStore {
  const isHeld = (lease: Lease) => sql`key = ${lease.key} and holder = ${lease.holder} and token = ${lease.token}`;
  return {
    /** Whoever asks again under the same name has started anew: what it was before is fenced off. */
    acquireLease: ({ key, holder, ttlMs, data = {} }) =>
      session.write(async (tx) => {
        const now = tx.dialect.leaseNow();
        const acquired = await sql<Database["leases"]>`
          insert into leases (key, holder, token, expires_at, data)
          values (${key}, ${holder}, 1, ${now} + cast(${ttlMs} as bigint), ${JSON.stringify(data)})
          on conflict (key) do update set
            holder = excluded.holder, token = leases.token + 1,
            expires_at = excluded.expires_at, data = excluded.data
          where leases.expires_at <= ${now} or leases.holder = excluded.holder
          returning *`.execute(tx.db);
        const row = acquired.rows[0];
        return row === undefined ? null : toLease(row);
      }),
    renewLease: (lease, { ttlMs, data }) =>
      session.write(async (tx) => {
        const renewed = await sql`
          update leases set
            expires_at = ${tx.dialect.leaseNow()} + cast(${ttlMs} as bigint),
            data = ${JSON.stringify(data ?? lease.data)}
          where ${isHeld(lease)} returning key`.execute(tx.db);
        return renewed.rows.length === 1;
      }),
    /** The row stays, so that its token goes on growing. */
    releaseLease: (lease) =>
      session.write(async (tx) => {
        const released = await sql`update leases set expires_at = 0 where ${isHeld(lease)} returning key`.execute(
          tx.db,
        );
        return released.rows.length === 1;
      }),
    listLeases: (prefix) =>
      session.read(async (db) => {
        const rows = await db
          .selectFrom("leases")
          .selectAll()
          .where("expires_at", ">", session.dialect.leaseNow())
          .orderBy("key")
          .execute();
        return rows.filter((row) => row.key.startsWith(prefix)).map(toLease);
      }),
  };
}
