import { DroverError } from "@drover/contract";
import { sql } from "kysely";
import { newId } from "../../lib/ids.ts";
import type { ExternalObject, JobRef } from "../../ports/store/index.ts";
import type { Session } from "../session.ts";
import { assertHolder } from "./hold-jobs.ts";
import { toExternalObject } from "./records.ts";

/** The same thing twice is one entry: a step that runs again after a crash finds what it had written. */
export async function recordIntended(
  session: Session,
  ref: JobRef,
  object: { system: string; kind: string; ref: string },
): Promise<ExternalObject> {
  return await session.write(async (tx) => {
    const job = await assertHolder(tx, ref);
    const row = await tx.db
      .insertInto("external_objects")
      .values({
        id: newId(session.clock.now()),
        cluster_id: job.cluster_id,
        ...object,
        state: "intended",
        job_id: job.id,
        created_at: tx.dialect.now(),
      })
      // Spelt out, not given as a parameter: SQLite finds the partial index by the text of its condition. Written over
      // with itself, not passed over: to read it afterwards is too late when its owner sees it gone just then.
      .onConflict((conflict) =>
        conflict
          .columns(["system", "kind", "ref"])
          .where("state", "<>", sql.lit("gone"))
          .doUpdateSet((eb) => ({ ref: eb.ref("excluded.ref") })),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    if (row.cluster_id !== job.cluster_id) {
      throw new DroverError("object-taken", `The ${object.kind} ${object.ref} belongs to another cluster.`, {
        details: { clusterId: row.cluster_id },
      });
    }
    return toExternalObject(row);
  });
}

export async function recordPresent(session: Session, ref: JobRef, objectId: string): Promise<void> {
  await session.write(async (tx) => {
    const job = await assertHolder(tx, ref);
    await tx.db
      .updateTable("external_objects")
      .set({ state: "present", seen_at: tx.dialect.now() })
      .where("id", "=", objectId)
      .where("cluster_id", "=", job.cluster_id)
      .where("state", "<>", "gone")
      .execute();
  });
}

export async function recordGone(session: Session, ref: JobRef, objectId: string): Promise<void> {
  await session.write(async (tx) => {
    const job = await assertHolder(tx, ref);
    await tx.db
      .updateTable("external_objects")
      .set({ state: "gone", gone_at: tx.dialect.now() })
      .where("id", "=", objectId)
      .where("cluster_id", "=", job.cluster_id)
      .execute();
  });
}
