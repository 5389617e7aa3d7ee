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
  const at = tx.dialect.now();
  await tx.db
    .insertInto("events")
    .values(
      events.map((event) => ({
        at,
        kind: event.kind,
        cluster_id: event.clusterId ?? null,
        cluster_name: event.clusterName ?? null,
        job_id: event.jobId ?? null,
        body: JSON.stringify(event.body ?? {}),
      })),
    )
    .execute();
  tx.wake("events");
}
