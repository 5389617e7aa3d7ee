import { DroverError, type MachineAccess, type NewMachine } from "@drover/contract";
import { type Selectable, sql } from "kysely";
import { newId } from "../../lib/ids.ts";
import type { Actor, Json, MachineRecord, MachineStore, PinnedKey, TakenPlace } from "../../ports/store/index.ts";
import type { MachineRow } from "../database.ts";
import type { Session, Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { appendEvents } from "./append-events.ts";
import { onlyOnce } from "./idempotency.ts";
import { toMachine } from "./machine-records.ts";
import { findByPlace, getMachine, listMachines } from "./read-machines.ts";

type Enrolled = Awaited<ReturnType<MachineStore["enrollMachines"]>>;

export function machineStore(session: Session): MachineStore {
  return {
    enrollMachines: (actor, machines, { idempotency } = {}) =>
      session.write((tx) => onlyOnce(tx, actor, idempotency, () => enroll(session, tx, actor, machines))),
    changeMachine: (actor, change) => session.write((tx) => changeMachine(tx, actor, change)),
    forgetMachine: (actor, name) =>
      session.write(async (tx) => {
        const row = await tx.db.deleteFrom("machines").where("name", "=", name).returningAll().executeTakeFirst();
        if (row === undefined) return false;
        await record(tx, actor, "forget", toMachine(row), { address: row.address, port: row.port });
        return true;
      }),
    requestLook: (actor, name) =>
      session.write(async (tx) => {
        const row = await tx.db
          .updateTable("machines")
          .set({ due_at: 0, asked: 1 })
          .where("name", "=", name)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return null;
        await appendAudit(tx, actor, { action: "machine.look", objectKind: "machine", objectName: name });
        tx.wake("machines");
        return toMachine(row);
      }),
    acceptHostKey: (actor, key) => session.write((tx) => acceptHostKey(tx, actor, key)),
    findTaken: (machines) => session.read((db) => findTaken({ db, dialect: session.dialect }, machines)),
    getMachine: (name) => getMachine(session, name),
    listMachines: (query) => listMachines(session, query),
    findByPlace: (places) => findByPlace(session, places),
  };
}

/** Whoever gives names and addresses is alone: what is free when it is read is still free when it is written. */
async function beAlone(tx: Tx): Promise<void> {
  if (tx.dialect.kind !== "postgres") return;
  await sql`lock table machines in share row exclusive mode`.execute(tx.db);
}

async function enroll(session: Session, tx: Tx, actor: Actor, machines: readonly NewMachine[]): Promise<Enrolled> {
  await beAlone(tx);
  const taken = await findTaken(tx, machines);
  if (taken.length > 0) return { taken };
  const made: MachineRecord[] = [];
  for (const machine of machines) made.push(await insertMachine(session, tx, actor, machine));
  await appendEvents(
    tx,
    made.map(({ name, version }) => ({ kind: "machine.enroll", body: { name, version } })),
  );
  for (const machine of made) {
    const { name, address, port, hostKey, version } = machine;
    const body = { address, port, version, hostKey: hostKey?.fingerprint ?? null };
    await appendAudit(tx, actor, { action: "machine.enroll", objectKind: "machine", objectName: name, body });
  }
  tx.wake("machines");
  return { machines: made };
}

async function findTaken(
  tx: Pick<Tx, "db" | "dialect">,
  machines: readonly NewMachine[],
): Promise<readonly TakenPlace[]> {
  const listed = tx.dialect.rows(
    machines.map(({ name, address, port }, at) => ({ at, name, address, port })),
    { at: "bigint", name: "text", address: "text", port: "bigint" },
  );
  const found = await sql<{ at: number; wanted: string; name: string }>`
    select listed.at, listed.name as wanted, machines.name from ${listed} as listed
    join machines on machines.name = listed.name
      or (machines.address = listed.address and machines.port = listed.port)
    order by listed.at, machines.name`.execute(tx.db);
  return found.rows.map(({ at, wanted, name }) => ({ at, what: wanted === name ? "name" : "address", by: name }));
}

async function insertMachine(session: Session, tx: Tx, actor: Actor, machine: NewMachine): Promise<MachineRecord> {
  const { name, hostKey, address, port, labels = {}, ...access } = machine;
  const now = tx.dialect.now();
  const row = await tx.db
    .insertInto("machines")
    .values({
      ...{ id: newId(session.clock.now()), name, address, port, ...textsOf(name, address, labels, access) },
      ...{ version: 1, host_key: null, bastion_host_key: null, offered_key: null },
      ...{ state: "Pending", reason: null, message: "", looked_at: null, facts: null, facts_at: null, failures: 0 },
      ...{ due_at: 0, asked: 1, leased_until: 0, token: 0, created_at: now, updated_at: now, updated_by: actor.name },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertLabels(tx, row.id, labels);
  const pinned = (fingerprint: string): PinnedKey => ({ fingerprint, type: null, origin: "given", at: row.created_at });
  const ofBastion = access.bastion?.hostKey;
  return await setKeys(tx, row, {
    host_key: hostKey === undefined ? null : JSON.stringify(pinned(hostKey)),
    bastion_host_key: ofBastion === undefined ? null : JSON.stringify(pinned(ofBastion)),
  });
}

/** The time is that of the row, which only the database knows. */
async function setKeys(
  tx: Tx,
  row: Selectable<MachineRow>,
  keys: Pick<MachineRow, "host_key" | "bastion_host_key">,
): Promise<MachineRecord> {
  if (keys.host_key !== null || keys.bastion_host_key !== null) {
    await tx.db.updateTable("machines").set(keys).where("id", "=", row.id).execute();
  }
  return toMachine({ ...row, ...keys });
}

const textsOf = (
  name: string,
  address: string,
  labels: Readonly<Record<string, string>>,
  access: MachineRecord["access"],
) => ({
  labels: JSON.stringify(labels),
  access: JSON.stringify(access),
  search_text: [name, address, ...Object.entries(labels).map(([key, value]) => `${key}=${value}`)]
    .join(" ")
    .toLowerCase(),
});

async function insertLabels(tx: Tx, id: string, labels: Readonly<Record<string, string>>): Promise<void> {
  const rows = Object.entries(labels).map(([key, value]) => ({ machine_id: id, key, value }));
  if (rows.length > 0) await tx.db.insertInto("machine_labels").values(rows).execute();
}

async function changeMachine(
  tx: Tx,
  actor: Actor,
  { name, access: change, expectedVersion }: Parameters<MachineStore["changeMachine"]>[1],
): ReturnType<MachineStore["changeMachine"]> {
  await beAlone(tx);
  const before = await lockMachine(tx, name);
  if (before === null) return null;
  if (expectedVersion !== undefined && expectedVersion !== before.version) {
    throw new DroverError(
      "generation-conflict",
      `The machine "${name}" is at version ${before.version}; the change was made on version ${expectedVersion}.`,
      { details: { version: before.version } },
    );
  }
  const { address, port, labels = {}, ...access } = change;
  const [rival] = await tx.db
    .selectFrom("machines")
    .select("name")
    .where("address", "=", address)
    .where("port", "=", port)
    .where("name", "<>", name)
    .execute();
  if (rival !== undefined) return { taken: { at: 0, what: "address", by: rival.name } };
  const isElsewhere = !isSameAccess(before, change);
  const row = await tx.db
    .updateTable("machines")
    .set({
      ...{ address, port, ...textsOf(name, address, labels, access), version: before.version + 1 },
      ...{ updated_at: tx.dialect.now(), updated_by: actor.name },
      // Labels say nothing about how it is reached: what was seen stays true.
      ...(isElsewhere ? { ...UNSEEN, ...bastionKeyOf(before, access) } : {}),
    })
    .where("name", "=", name)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx.db.deleteFrom("machine_labels").where("machine_id", "=", row.id).execute();
  await insertLabels(tx, row.id, labels);
  const machine = toMachine(row);
  await record(tx, actor, "change", machine, { address, port });
  if (isElsewhere) tx.wake("machines");
  return { machine };
}

/** Facts stay until others are seen: they say when they were. */
const UNSEEN = { state: "Pending", reason: null, message: "", offered_key: null, failures: 0, due_at: 0, asked: 1 };

/** Another bastion has another key; the machine itself is to be the one that was pinned. */
function bastionKeyOf(before: MachineRecord, { bastion }: MachineRecord["access"]): Partial<MachineRow> {
  const old = before.access.bastion;
  if (old?.address === bastion?.address && old?.port === bastion?.port && old?.hostKey === bastion?.hostKey) return {};
  if (bastion?.hostKey === undefined) return { bastion_host_key: null };
  const pin: PinnedKey = { fingerprint: bastion.hostKey, type: null, origin: "given", at: before.updatedAt };
  return { bastion_host_key: JSON.stringify(pin) };
}

function isSameAccess({ address, port, access }: MachineRecord, change: MachineAccess): boolean {
  const { labels: _, address: wanted, port: wantedPort, ...rest } = change;
  return address === wanted && port === wantedPort && JSON.stringify(access) === JSON.stringify(rest);
}

async function acceptHostKey(
  tx: Tx,
  actor: Actor,
  { name, of, fingerprint }: Parameters<MachineStore["acceptHostKey"]>[1],
): Promise<MachineRecord | null> {
  const before = await lockMachine(tx, name);
  if (before === null) return null;
  const { offeredKey } = before;
  if (offeredKey?.of !== of || offeredKey.fingerprint !== fingerprint) {
    const shown =
      offeredKey === null ? "no other key than the pinned one" : `${offeredKey.fingerprint} (${offeredKey.of})`;
    throw new DroverError("host-key-differs", `The machine "${name}" showed ${shown}, not ${fingerprint} (${of}).`);
  }
  const clock = await sql<{ now: number }>`select ${tx.dialect.now()} as now`.execute(tx.db);
  const pin: PinnedKey = { fingerprint, type: offeredKey.type, origin: "accepted", at: clock.rows[0]?.now ?? 0 };
  const row = await tx.db
    .updateTable("machines")
    .set({
      ...UNSEEN,
      ...{ [of === "machine" ? "host_key" : "bastion_host_key"]: JSON.stringify(pin), version: before.version + 1 },
      ...{ updated_at: tx.dialect.now(), updated_by: actor.name },
    })
    .where("name", "=", name)
    .returningAll()
    .executeTakeFirstOrThrow();
  const old = (of === "machine" ? before.hostKey : before.bastionHostKey)?.fingerprint ?? null;
  await record(tx, actor, "accept-key", toMachine(row), { of, before: old, after: fingerprint });
  tx.wake("machines");
  return toMachine(row);
}

async function lockMachine(tx: Tx, name: string): Promise<MachineRecord | null> {
  const found = await sql<MachineRow>`
    select * from machines where name = ${name}${tx.dialect.forUpdate}`.execute(tx.db);
  const [row] = found.rows;
  return row === undefined ? null : toMachine(row);
}

async function record(
  tx: Tx,
  actor: Actor,
  verb: string,
  { name, version }: MachineRecord,
  body: Readonly<Record<string, Json>>,
): Promise<void> {
  await appendEvents(tx, [{ kind: `machine.${verb}`, body: { name, version } }]);
  const entry = { action: `machine.${verb}`, objectKind: "machine", objectName: name };
  await appendAudit(tx, actor, { ...entry, body: { ...body, version } });
}
