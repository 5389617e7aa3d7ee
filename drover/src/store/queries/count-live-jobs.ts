import type { JobKind, JobState } from "@drover/contract";
import { sql } from "kysely";
import type { ReadStore } from "../../ports/store/index.ts";
import type { Session } from "../session.ts";

export async function countLiveJobs(session: Session): ReturnType<ReadStore["countLiveJobs"]> {
  return await session.read(async (db) => {
    const { rows } = await sql<{ state: string; kind: string; count: number; oldest: number; now: number }>`
      select state, kind, count(*) as count, min(run_at) as oldest, ${session.dialect.now()} as now
      from jobs where state in ('Pending', 'Processing') group by state, kind`.execute(db);
    const now = rows[0]?.now ?? session.clock.now();
    const due = rows.filter(({ state, oldest }) => state === "Pending" && oldest <= now).map(({ oldest }) => oldest);
    return {
      counts: rows.map(({ state, kind, count }) => ({ state: state as JobState, kind: kind as JobKind, count })),
      oldestDueAt: due.length === 0 ? null : Math.min(...due),
      now,
    };
  });
}
