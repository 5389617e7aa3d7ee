import { DroverError } from "@drover/contract";
import type { Actor, LibraryEntry, LibraryKind, LibraryStore } from "../../ports/store/index.ts";
import type { Database } from "../database.ts";
import type { Session, Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { appendEvents } from "./append-events.ts";
import { onlyOnce } from "./idempotency.ts";

const toEntry = (row: Database["library"]): LibraryEntry => ({
  kind: row.kind as LibraryKind,
  name: row.name,
  version: row.version,
  body: JSON.parse(row.body),
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
});

export function libraryStore(session: Session): LibraryStore {
  return {
    getEntry: (kind, name) =>
      session.read(async (db) => {
        const row = await db
          .selectFrom("library")
          .selectAll()
          .where("kind", "=", kind)
          .where("name", "=", name)
          .executeTakeFirst();
        return row === undefined ? null : toEntry(row);
      }),
    listEntries: (kind) =>
      session.read(async (db) => {
        const rows = await db.selectFrom("library").selectAll().where("kind", "=", kind).orderBy("name").execute();
        return rows.map(toEntry);
      }),
    createEntry: (actor, { kind, name, body, idempotency }) =>
      session.write((tx) =>
        onlyOnce(tx, actor, idempotency, async () => {
          const row = await tx.db
            .insertInto("library")
            .values({
              ...{ kind, name, version: 1, body: JSON.stringify(body) },
              ...{ updated_at: tx.dialect.now(), updated_by: actor.name },
            })
            .onConflict((conflict) => conflict.columns(["kind", "name"]).doNothing())
            .returningAll()
            .executeTakeFirst();
          if (row === undefined) return null;
          await record(tx, actor, "create", toEntry(row));
          return toEntry(row);
        }),
      ),
    replaceEntry: (actor, { kind, name, body, expectedVersion }) =>
      session.write(async (tx) => {
        const row = await tx.db
          .updateTable("library")
          .set((eb) => ({
            ...{ version: eb("version", "+", 1), body: JSON.stringify(body) },
            ...{ updated_at: tx.dialect.now(), updated_by: actor.name },
          }))
          .where("kind", "=", kind)
          .where("name", "=", name)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return null;
        const before = row.version - 1;
        if (expectedVersion !== undefined && expectedVersion !== before) {
          throw new DroverError(
            "generation-conflict",
            `The ${kind} "${name}" is at version ${before}; the change was made on version ${expectedVersion}.`,
            { details: { version: before } },
          );
        }
        await record(tx, actor, "change", toEntry(row));
        return toEntry(row);
      }),
    deleteEntry: (actor, kind, name) =>
      session.write(async (tx) => {
        const row = await tx.db
          .deleteFrom("library")
          .where("kind", "=", kind)
          .where("name", "=", name)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return false;
        await record(tx, actor, "delete", toEntry(row));
        return true;
      }),
  };
}

async function record(tx: Tx, actor: Actor, verb: string, { kind, name, version }: LibraryEntry): Promise<void> {
  await appendEvents(tx, [{ kind: `${kind}.${verb}`, body: { name, version } }]);
  await appendAudit(tx, actor, { action: `${kind}.${verb}`, objectKind: kind, objectName: name, body: { version } });
}
