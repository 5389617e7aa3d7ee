import { randomInt } from "node:crypto";
import type { KeyOwner } from "@drover/contract";
import { sql } from "kysely";
import type { MachineLookBatch, MachineLookStore, MachineSeen, PinnedKey } from "../../ports/store/index.ts";
import type { MachineRow } from "../database.ts";
import { type Session, storableText, type Tx } from "../session.ts";
import { appendEvents } from "./append-events.ts";
import { toMachine } from "./machine-records.ts";

const MAX_TOKEN = 2 ** 48 - 1;

/** Due at any time that a clock may show: whoever has claimed it may never close it. A change sets 0, which is sooner. */
const CLAIMED = 1;

export function machineLookStore(session: Session): MachineLookStore {
  return {
    claimMachines: (options) => session.write((tx) => claimMachines(tx, options)),
    saveSeen: (token, seen) => session.write((tx) => saveSeen(tx, token, seen)),
    giveBack: (token, id) =>
      session.write(async (tx) => {
        await tx.db
          .updateTable("machines")
          .set({ leased_until: 0, due_at: 0 })
          .where("id", "=", id)
          .where("token", "=", token)
          .where("leased_until", ">", 0)
          .execute();
        tx.wake("machines");
      }),
    nextMachineIn: () => nextMachineIn(session),
  };
}

async function claimMachines(tx: Tx, options: { limit: number; leaseMs: number }): Promise<MachineLookBatch> {
  // Not counted: two that count at once would close each other's batches.
  const token = randomInt(1, MAX_TOKEN);
  const now = tx.dialect.now();
  const claimed = await sql<MachineRow>`
    with picked as materialized (
      select id from machines
      where (due_at <= ${now} or coalesce(looked_at, 0) > ${now}) and leased_until <= ${tx.dialect.leaseNow()}
      order by asked desc, due_at
      limit ${options.limit}${tx.dialect.kind === "postgres" ? sql` for update skip locked` : sql``}
    )
    update machines set
      token = ${token},
      leased_until = ${tx.dialect.leaseNow()} + cast(${options.leaseMs} as bigint),
      due_at = ${CLAIMED}
    where id in (select id from picked)
    returning *`.execute(tx.db);
  return { token, machines: claimed.rows.map(toMachine) };
}

async function saveSeen(tx: Tx, token: number, seen: readonly MachineSeen[]): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const one of seen) {
    const name = await saveOne(tx, token, one);
    if (name !== null) kept.push(name);
  }
  return kept;
}

async function saveOne(tx: Tx, token: number, seen: MachineSeen): Promise<string | null> {
  const held = await sql<MachineRow & { now: number }>`
    select machines.*, ${tx.dialect.now()} as now from machines
    where id = ${seen.id} and token = ${token} and leased_until > 0${tx.dialect.forUpdate}`.execute(tx.db);
  const [row] = held.rows;
  if (row === undefined) return null;
  const isCurrent = row.version === seen.version;
  await tx.db
    .updateTable("machines")
    .set({
      ...(isCurrent ? { ...seenColumns(row, seen), looked_at: row.now, asked: 0 } : {}),
      leased_until: 0,
      // Since the claim only a change, or somebody who asked, can have set it to 0.
      due_at: row.due_at === 0 || !isCurrent ? 0 : row.now + Math.ceil(seen.nextLookMs),
      ...(row.due_at === 0 ? { asked: 1 } : {}),
    })
    .where("id", "=", row.id)
    .execute();
  if (row.due_at === 0 || !isCurrent) tx.wake("machines");
  if (!isCurrent) return null;
  await announce(tx, row, seen);
  return row.name;
}

function seenColumns(row: MachineRow & { readonly now: number }, seen: MachineSeen): Partial<MachineRow> {
  return {
    ...{ state: seen.state, reason: seen.reason, message: storableText(seen.message) },
    offered_key: seen.offered === null ? null : JSON.stringify(seen.offered),
    failures: seen.state === "Reachable" ? 0 : row.failures + 1,
    ...(seen.facts === undefined ? {} : { facts: JSON.stringify(seen.facts), facts_at: row.now }),
    ...pinOf(row, seen, "machine"),
    ...pinOf(row, seen, "bastion"),
  };
}

/** A key that is pinned is never replaced here: that is for people to decide. */
function pinOf(row: MachineRow & { readonly now: number }, { pin }: MachineSeen, of: KeyOwner): Partial<MachineRow> {
  const shown = pin?.[of];
  if (shown === undefined) return {};
  const column = of === "machine" ? "host_key" : "bastion_host_key";
  const before = row[column] === null ? null : (JSON.parse(row[column]) as PinnedKey);
  if (before === null) return { [column]: JSON.stringify({ ...shown, origin: "first-contact", at: row.now }) };
  if (before.fingerprint !== shown.fingerprint) return {};
  return { [column]: JSON.stringify({ ...before, type: shown.type }) };
}

/** Only of what is news to somebody: a look at thousands of machines as they were says nothing. */
async function announce(tx: Tx, row: MachineRow, { state, reason, facts }: MachineSeen): Promise<void> {
  const isFirst = facts !== undefined && row.facts === null;
  if (row.state === state && row.reason === reason && row.asked === 0 && !isFirst) return;
  await appendEvents(tx, [{ kind: "machine.seen", body: { name: row.name, state, reason } }]);
}

async function nextMachineIn(session: Session): Promise<number | null> {
  return await session.read(async (db) => {
    const due = sql`due_at - ${session.dialect.now()}`;
    const lease = sql`leased_until - ${session.dialect.leaseNow()}`;
    const found = await sql<{ wait: number | null }>`
      select min(case when ${lease} > ${due} and ${lease} > 0 then ${lease} else ${due} end) as wait
      from machines`.execute(db);
    const wait = found.rows[0]?.wait ?? null;
    return wait === null ? null : Math.max(0, wait);
  });
}
