import { sql } from "kysely";
import type { JobRef } from "../../ports/store/index.ts";
import type { Tx } from "../session.ts";
import type { HeldJob } from "./hold-jobs.ts";

/**
 * Of several writes to jobs those whose tokens still open them, each with its job, which is theirs until the
 * transaction ends. Jobs that somebody else is just writing to are left out instead of waited for, so that two who take
 * several jobs at once never wait for each other.
 */
export async function lockHeld<Write extends { readonly ref: JobRef }>(
  tx: Tx,
  writes: readonly Write[],
): Promise<readonly { write: Write; job: HeldJob }[]> {
  const listed = tx.dialect.rows(
    writes.map(({ ref }) => ({ id: ref.jobId, token: ref.token })),
    { id: "text", token: "bigint" },
  );
  const found = await sql<HeldJob & { token: number }>`
    select id, cluster_id, plan_hash, token from jobs
    where (id, token) in (select id, token from ${listed} as listed) and state = 'Processing'
    ${tx.dialect.forUpdateSkipLocked}`.execute(tx.db);
  const jobs = new Map(found.rows.map((job) => [job.id, job]));
  return writes.flatMap((write) => {
    const job = jobs.get(write.ref.jobId);
    return job !== undefined && job.token === write.ref.token ? [{ write, job }] : [];
  });
}
