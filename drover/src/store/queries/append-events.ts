import { sql } from "kysely";
import type { Json } from "../../ports/store/index.ts";
import type { Tx } from "../session.ts";

export interface NewEvent {
  readonly kind: string;
  readonly clusterId?: string;
  readonly clusterName?: string;
  readonly jobId?: string;
  readonly body?: Json;
}

/** The only way into the event log, so that every event wakes its readers. */
export async function appendEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = tx.dialect.rows(
    events.map((event) => ({
      kind: event.kind,
      cluster_id: event.clusterId ?? null,
      cluster_name: event.clusterName ?? null,
      job_id: event.jobId ?? null,
      body: JSON.stringify(event.body ?? {}),
    })),
    { kind: "text", cluster_id: "text", cluster_name: "text", job_id: "text", body: "text" },
  );
  await sql`
    insert into events (at, kind, cluster_id, cluster_name, job_id, body)
    select ${tx.dialect.now()}, kind, cluster_id, cluster_name, job_id, body from ${rows} as v`.execute(tx.db);
  tx.wake("events");
}
