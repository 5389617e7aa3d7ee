import type { FinishedJobState } from "@drover/contract";
import { sql } from "kysely";
import { bringsAbout, countsForPhase } from "../../domain/phase.ts";
import type { JobRecord } from "../../ports/store/index.ts";
import type { Tx } from "../session.ts";

/** Writes down at the clusters what the end of their jobs came to; the phase is derived from it afterwards. */
export async function noteEndedJobs(tx: Tx, jobs: readonly JobRecord[]): Promise<void> {
  const notes = jobs
    .filter(({ kind, state, attempt }) =>
      countsForPhase({ kind, state: state as FinishedJobState, started: attempt > 0 }),
    )
    .map((job) => ({
      id: job.clusterId,
      kind: job.kind,
      state: job.state,
      tried: job.generation,
      generation: job.state === "Succeeded" && bringsAbout(job.kind) ? job.generation : 0,
      error: job.error?.message ?? null,
    }));
  if (notes.length === 0) return;
  const rows = tx.dialect.rows(notes, {
    id: "text",
    kind: "text",
    state: "text",
    tried: "bigint",
    generation: "bigint",
    error: "text",
  });
  await sql`
    update clusters set
      last_change_kind = v.kind,
      last_change_state = v.state,
      last_change_generation = v.tried,
      last_change_at = ${tx.dialect.now()},
      last_change_presence = presence,
      last_error = v.error,
      observed_generation = case when v.generation > observed_generation then v.generation else observed_generation end
    from ${rows} as v where clusters.id = v.id`.execute(tx.db);
}
