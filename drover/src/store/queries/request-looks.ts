import { type SqlBool, sql } from "kysely";
import type { LabelSelector } from "../../domain/labels.ts";
import type { Actor, Time } from "../../ports/store/index.ts";
import type { Db, Session } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { type Filter, matchesScopes } from "./list-clusters.ts";

/** One statement for all of them; a look that is under way is followed by another. */
export async function requestLooks(session: Session, actor: Actor, scopes: readonly LabelSelector[]): Promise<number> {
  return await session.write(async (tx) => {
    const due = await tx.db
      .updateTable("looks")
      .set({ due_at: 0, health_due_at: 0 })
      .where("cluster_id", "in", living(tx.db, scopes))
      .returning("cluster_id")
      .execute();
    await appendAudit(tx, actor, {
      action: "consistency.check",
      objectKind: "fleet",
      objectName: "",
      body: { clusters: due.length },
    });
    tx.wake("jobs");
    return due.length;
  });
}

export async function oldestLookAt(session: Session, scopes: readonly LabelSelector[]): Promise<Time | null> {
  const oldest = await session.read((db) =>
    db
      .selectFrom("looks")
      .select("seen_at")
      .where("cluster_id", "in", living(db, scopes))
      // Those that nobody has looked at come first in both databases.
      .orderBy(sql`coalesce(seen_at, -1)`)
      .limit(1)
      .executeTakeFirst(),
  );
  return oldest?.seen_at ?? null;
}

function living(db: Db, scopes: readonly LabelSelector[]) {
  const select = db.selectFrom("clusters").select("id").where(sql<SqlBool>`deleted_at is null`);
  return scopes.length === 0 ? select : select.where((eb) => matchesScopes(eb as unknown as Filter, scopes));
}
