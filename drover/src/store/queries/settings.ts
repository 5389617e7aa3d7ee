import { DroverError } from "@drover/contract";
import type { Setting, SettingsStore } from "../../ports/store/index.ts";
import type { Database } from "../database.ts";
import type { Session } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { appendEvents } from "./append-events.ts";

/** Keys under which the store keeps notes of its own; nobody else sees or changes them. */
const OWN_PREFIX = "store.";

const toSetting = (row: Database["settings"]): Setting => ({
  key: row.key,
  value: JSON.parse(row.value),
  version: row.version,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
});

export function settingsStore(session: Session): SettingsStore {
  return {
    getSetting: (key) =>
      session.read(async (db) => {
        if (key.startsWith(OWN_PREFIX)) return null;
        const row = await db.selectFrom("settings").selectAll().where("key", "=", key).executeTakeFirst();
        return row === undefined ? null : toSetting(row);
      }),
    listSettings: (prefix = "") =>
      session.read(async (db) => {
        const rows = await db.selectFrom("settings").selectAll().orderBy("key").execute();
        return rows.filter(({ key }) => key.startsWith(prefix) && !key.startsWith(OWN_PREFIX)).map(toSetting);
      }),
    putSetting: (actor, { key, value, expectedVersion }) =>
      session.write(async (tx) => {
        if (key.startsWith(OWN_PREFIX)) throw new RangeError(`Settings under "${OWN_PREFIX}" belong to the store.`);
        const row = await tx.db
          .insertInto("settings")
          .values({
            key,
            value: JSON.stringify(value),
            version: 1,
            updated_at: tx.dialect.now(),
            updated_by: actor.name,
          })
          .onConflict((conflict) =>
            conflict.column("key").doUpdateSet((eb) => ({
              value: eb.ref("excluded.value"),
              version: eb("settings.version", "+", 1),
              updated_at: eb.ref("excluded.updated_at"),
              updated_by: eb.ref("excluded.updated_by"),
            })),
          )
          .returningAll()
          .executeTakeFirstOrThrow();
        if (expectedVersion !== undefined && row.version !== expectedVersion + 1) {
          throw new DroverError("setting-conflict", `The setting "${key}" is at version ${row.version - 1}.`, {
            details: { version: row.version - 1 },
          });
        }
        await appendEvents(tx, [{ kind: "setting.put", body: { key, version: row.version } }]);
        await appendAudit(tx, actor, {
          action: "setting.put",
          objectKind: "setting",
          objectName: key,
          body: { value, version: row.version },
        });
        return toSetting(row);
      }),
    deleteSetting: (actor, key) =>
      session.write(async (tx) => {
        if (key.startsWith(OWN_PREFIX)) return false;
        const row = await tx.db.deleteFrom("settings").where("key", "=", key).returning("version").executeTakeFirst();
        if (row === undefined) return false;
        await appendEvents(tx, [{ kind: "setting.delete", body: { key } }]);
        await appendAudit(tx, actor, { action: "setting.delete", objectKind: "setting", objectName: key });
        return true;
      }),
  };
}
