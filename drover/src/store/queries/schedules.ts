import type { ClusterSpec } from "@drover/contract";
import { sql } from "kysely";
import { lastSwitch, nextSwitch } from "../../domain/hibernation-schedule.ts";
import type { MadeSwitch, ScheduleStore } from "../../ports/store/index.ts";
import type { Session, Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { appendEvents } from "./append-events.ts";

/** In `switch_at`: the schedule is new, and nobody has worked out yet when it speaks. Nothing was missed. */
export const UNRECKONED = 0;

export function switchStore(session: Session): Pick<ScheduleStore, "applySwitches" | "nextSwitchIn"> {
  return {
    applySwitches: ({ limit }) => session.write((tx) => applySwitches(tx, limit)),
    nextSwitchIn: () =>
      session.read(async (db) => {
        const found = await sql<{ wait: number | null }>`
          select min(switch_at) - ${session.dialect.now()} as wait from clusters where switch_at is not null`.execute(
          db,
        );
        const wait = found.rows[0]?.wait ?? null;
        return wait === null ? null : Math.max(0, wait);
      }),
  };
}

interface DueRow {
  readonly id: string;
  readonly name: string;
  readonly spec: string;
  readonly hibernated: number;
  readonly switch_at: number;
  readonly desired_state: string;
}

async function applySwitches(tx: Tx, limit: number): Promise<readonly MadeSwitch[]> {
  const clock = await sql<{ now: number }>`select ${tx.dialect.now()} as now`.execute(tx.db);
  const { now = 0 } = clock.rows[0] ?? {};
  const lock = tx.dialect.kind === "postgres" ? sql` for update of clusters skip locked` : sql``;
  const due = await sql<DueRow>`
    select clusters.id, clusters.name, clusters.hibernated, clusters.switch_at, clusters.desired_state, revisions.spec
    from clusters join revisions on revisions.cluster_id = clusters.id and revisions.generation = clusters.generation
    where clusters.switch_at <= ${now} order by clusters.switch_at limit ${limit}${lock}`.execute(tx.db);
  const made: MadeSwitch[] = [];
  for (const row of due.rows) made.push(await applySwitch(tx, row, now));
  return made;
}

async function applySwitch(tx: Tx, row: DueRow, now: number): Promise<MadeSwitch> {
  const { schedule } = (JSON.parse(row.spec) as ClusterSpec).maintenance ?? {};
  const isWanted = row.desired_state === "present" && schedule !== undefined;
  const missed = isWanted && row.switch_at !== UNRECKONED ? lastSwitch(schedule, row.switch_at - 1, now) : null;
  const next = isWanted ? nextSwitch(schedule, now) : null;
  const hibernated = missed === null || missed.hibernated === (row.hibernated === 1) ? null : missed.hibernated;
  await tx.db
    .updateTable("clusters")
    .set({
      switch_at: next?.at ?? null,
      // Being changed, the cluster is looked at now; what to do about it is decided there.
      ...(hibernated === null ? {} : { hibernated: hibernated ? 1 : 0, last_change_at: tx.dialect.now() }),
    })
    .where("id", "=", row.id)
    .execute();
  if (hibernated !== null) await announce(tx, row, hibernated);
  return { clusterName: row.name, hibernated };
}

async function announce(tx: Tx, { id, name }: DueRow, hibernated: boolean): Promise<void> {
  const kind = hibernated ? "cluster.hibernate" : "cluster.wake";
  await appendEvents(tx, [{ kind, clusterId: id, clusterName: name, body: { actor: "schedule" } }]);
  const actor = { type: "system", name: "schedule" } as const;
  await appendAudit(tx, actor, { action: kind, objectKind: "cluster", objectName: name, body: { clusterId: id } });
  tx.wake("jobs");
}
