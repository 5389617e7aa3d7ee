import { sql } from "kysely";
import type { Json, WorkerStore } from "../../ports/store/index.ts";
import type { Db, Session, SignedWorker } from "../session.ts";

interface Present {
  readonly about: Readonly<Record<string, Json>>;
  readonly ttlMs: number;
}

/** Presence is a lease without rivals: ids of workers are never used again. */
const KEY = "worker/";
const isPresence = sql`substr(key, 1, ${sql.lit(KEY.length)}) = ${KEY}`;

export function workerStore(session: Session): WorkerStore {
  const here = new Map<string, Present>();
  let last: Promise<void> = Promise.resolve();

  /** One after the other: what is said last is what holds. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const save = (id: string, isNew: boolean) =>
    inTurn(async () => {
      const present = here.get(id);
      if (present !== undefined) await savePresence(session, id, present, isNew);
    });
  // A worker that lost its sign and not its life says so itself, before others take the one for the other. Where that
  // fails, it is said with the next presence.
  session.life.onChange(() => {
    for (const id of here.keys()) save(id, false).catch(() => {});
  });

  return {
    showPresence: async ({ id, about, ttlMs }) => {
      const isNew = !here.has(id);
      here.set(id, { about, ttlMs });
      await save(id, isNew);
    },
    leave: async (workerId) => {
      here.delete(workerId);
      await inTurn(async () => {
        await removePresence(session, workerId);
        await session.life.hide(workerId);
      });
    },
    findGone: () =>
      session.read(async (db) => await session.life.findGone(db, await listHolders(db, session.dialect.leaseNow()))),
    endLeasesOf: (workerIds) => endLeasesOf(session, workerIds),
  };
}

async function savePresence(session: Session, id: string, { about, ttlMs }: Present, isNew: boolean): Promise<void> {
  const sign = await session.life.show(id);
  await session.write(async (tx) => {
    const now = tx.dialect.leaseNow();
    if (isNew) await sql`delete from leases where ${isPresence} and expires_at <= ${now}`.execute(tx.db);
    await sql`
      insert into leases (key, holder, token, expires_at, data)
      values (${KEY + id}, ${id}, 1, ${now} + cast(${ttlMs} as bigint), ${JSON.stringify({ ...about, sign })})
      on conflict (key) do update set expires_at = excluded.expires_at, data = excluded.data`.execute(tx.db);
  });
}

async function removePresence(session: Session, id: string): Promise<void> {
  await session.write(
    async (tx) =>
      void (await tx.db
        .deleteFrom("leases")
        .where("key", "=", KEY + id)
        .execute()),
  );
}

/** Workers who show a sign of life and hold jobs that nobody else could claim now. */
async function listHolders(db: Db, now: ReturnType<Session["dialect"]["leaseNow"]>): Promise<readonly SignedWorker[]> {
  const found = await sql<{ holder: string; data: string }>`
    select holder, data from leases
    where ${isPresence} and exists (
      select 1 from jobs where state = 'Processing' and lease_expires_at > ${now} and worker_id = leases.holder
    )`.execute(db);
  return found.rows.flatMap(({ holder, data }) => {
    const { sign = null } = JSON.parse(data) as { sign?: Json };
    return sign === null ? [] : [{ id: holder, sign }];
  });
}

async function endLeasesOf(session: Session, workerIds: readonly string[]): Promise<number> {
  return await session.write(async (tx) => {
    const holders = await listHolders(tx.db, tx.dialect.leaseNow());
    const asked = holders.filter(({ id }) => workerIds.includes(id));
    const gone = await session.life.findGone(tx.db, asked);
    if (gone.length === 0) return 0;
    const keys = gone.map((id) => KEY + id);
    await tx.db.deleteFrom("leases").where("key", "in", keys).execute();
    const freed = await tx.db
      .updateTable("jobs")
      .set({ lease_expires_at: 0 })
      .where("state", "=", "Processing")
      .where("worker_id", "in", gone)
      .returning("id")
      .execute();
    tx.wake("jobs");
    return freed.length;
  });
}
