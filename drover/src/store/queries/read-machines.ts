import { type SqlBool, sql } from "kysely";
import { readPageCursor, writePageCursor } from "../../domain/page-cursor.ts";
import type { MachineFilter, MachinePlace, MachineRecord, Page } from "../../ports/store/index.ts";
import type { MachineRow } from "../database.ts";
import { type Session, storableText } from "../session.ts";
import { toMachine } from "./machine-records.ts";
import { LABELLED_MACHINES, matchesAnyScope, matchesSelector } from "./match-labels.ts";

export async function getMachine(session: Session, name: string): Promise<MachineRecord | null> {
  const row = await session.read((db) =>
    db.selectFrom("machines").selectAll().where("name", "=", name).executeTakeFirst(),
  );
  return row === undefined ? null : toMachine(row);
}

export async function listMachines(
  session: Session,
  query: MachineFilter & { readonly limit: number; readonly after?: string },
): Promise<Page<MachineRecord>> {
  return await session.read(async (db) => {
    let select = db
      .selectFrom("machines")
      .selectAll()
      .where(matchesSelector(LABELLED_MACHINES, query.selector ?? []))
      .where(matchesAnyScope(LABELLED_MACHINES, query.scopes ?? []))
      .orderBy("name")
      .limit(query.limit + 1);
    if (query.states !== undefined)
      select = select.where("state", "in", query.states.length === 0 ? [""] : query.states);
    if (query.search !== undefined && query.search !== "") {
      const pattern = `%${storableText(query.search.toLowerCase()).replace(/[!%_]/g, "!$&")}%`;
      select = select.where(sql<SqlBool>`search_text like ${pattern} escape '!'`);
    }
    if (query.after !== undefined)
      select = select.where("name", ">", String(readPageCursor(query.after, "string").value));
    const rows = await select.execute();
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    const more = rows.length > query.limit && last !== undefined;
    return { items: page.map(toMachine), next: more ? writePageCursor({ value: last.name, id: last.id }) : null };
  });
}

export async function findByPlace(
  session: Session,
  places: readonly MachinePlace[],
): Promise<readonly MachineRecord[]> {
  if (places.length === 0) return [];
  return await session.read(async (db) => {
    const listed = session.dialect.rows(
      places.map(({ address, port }) => ({ address, port })),
      { address: "text", port: "bigint" },
    );
    const found = await sql<MachineRow>`
      select machines.* from machines
      where (machines.address, machines.port) in (select address, port from ${listed} as listed)
      order by machines.name`.execute(db);
    return found.rows.map(toMachine);
  });
}
