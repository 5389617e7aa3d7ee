import type { Condition } from "@drover/contract";
import { sql } from "kysely";
import { setCondition } from "../../domain/conditions.ts";
import type { JobRecord } from "../../ports/store/index.ts";
import type { Tx } from "../session.ts";

/**
 * A backup that failed is seen at its cluster until one succeeds: nobody reads the list of jobs for it. A drill that
 * failed counts as well; one that passed says nothing about whether newer backups work.
 */
export async function noteBackups(tx: Tx, jobs: readonly JobRecord[]): Promise<void> {
  for (const job of jobs) {
    if (job.kind !== "backup" || (job.state !== "Succeeded" && job.state !== "Failed")) continue;
    if (job.state === "Succeeded" && !(await isListed(tx, job.id))) continue;
    await note(tx, job);
  }
}

async function isListed(tx: Tx, id: string): Promise<boolean> {
  return (await tx.db.selectFrom("backups").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

async function note(tx: Tx, { clusterId, state, error, generation }: JobRecord): Promise<void> {
  const row = await tx.db.selectFrom("clusters").select("conditions").where("id", "=", clusterId).executeTakeFirst();
  if (row === undefined) return;
  const before = JSON.parse(row.conditions) as readonly Condition[];
  const clock = await sql<{ now: number }>`select ${tx.dialect.now()} as now`.execute(tx.db);
  const now = clock.rows[0]?.now ?? 0;
  const went = state === "Succeeded" ? ["True", "LastJobSucceeded"] : ["False", "JobFailed"];
  const [status, reason] = went as ["True" | "False", "LastJobSucceeded" | "JobFailed"];
  const condition = {
    type: "BackedUp",
    status,
    reason,
    message: error?.message ?? "",
    observedGeneration: generation,
  } as const;
  const conditions = JSON.stringify(setCondition(before, condition, new Date(now).toISOString()));
  // A look that began before has the old conditions in hand: it is not to be believed.
  await tx.db.updateTable("clusters").set({ conditions, last_change_at: now }).where("id", "=", clusterId).execute();
}
