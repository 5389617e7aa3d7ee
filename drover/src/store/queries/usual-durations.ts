import { sql } from "kysely";
import type { Session } from "../session.ts";

/** Of each name, how many of the newest are looked at, and how many of those that fit are counted. */
const NEWEST = 100;
const COUNTED = 20;

/** The median, so that one step that hung for an hour does not make all others look slow. */
export async function usualDurations(
  session: Session,
  { provider, names }: { provider: string; names: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map();
  // One after the other: what is taken of each name is bounded, which a single list of all names would not be.
  const newest = names.map(
    (name) => sql`select * from (
      select job_id, name, started_at, finished_at from job_steps
      where name = ${name} and state = 'Succeeded' order by finished_at desc limit ${NEWEST}) as newest`,
  );
  const rows = await session.read(async (db) => {
    const found = await sql<{ name: string; ms: number }>`
      select s.name, s.finished_at - s.started_at as ms
      from (${sql.join(newest, sql` union all `)}) as s join jobs on jobs.id = s.job_id
      where jobs.provider = ${provider}
      order by s.name, s.finished_at desc`.execute(db);
    return found.rows;
  });
  return new Map(names.flatMap((name) => describe(name, rows)));
}

function describe(name: string, rows: readonly { name: string; ms: number }[]): readonly [string, number][] {
  const durations = rows.filter((row) => row.name === name).map(({ ms }) => Math.max(0, ms));
  const newest = durations.slice(0, COUNTED).sort((left, right) => left - right);
  const median = newest[Math.floor(newest.length / 2)];
  return median === undefined ? [] : [[name, median]];
}
