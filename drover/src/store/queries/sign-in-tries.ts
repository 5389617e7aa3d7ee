import { type RawBuilder, sql } from "kysely";
import { countTry, isBlocked, type ThrottleState, takeBackTry } from "../../domain/sign-in-throttle.ts";
import type { AccessStore, SignInTry } from "../../ports/store/index.ts";
import type { Db, Dialect, Session, Tx } from "../session.ts";

/** What nobody asks for any more goes a few rows at a time, with the tries that follow. */
const FORGET_AFTER_MS = 86_400_000;
const FORGET_AT_ONCE = 50;

interface Known {
  readonly now: number;
  readonly states: ReadonlyMap<string, ThrottleState>;
}

export function signInMethods(session: Session): Pick<AccessStore, "countSignIn" | "settleSignIn"> {
  return {
    countSignIn: async (tries) => {
      const keys = tries.map(({ key }) => key);
      // The many tries of an attacker cost a read each; only those that get through are written.
      const known = await session.read((db) => readStates(db, session.dialect, keys, sql``));
      return findBlocked(known) ?? (await session.write((tx) => countAll(tx, tries)));
    },
    settleSignIn: ({ forget, takeBack }) =>
      session.write(async (tx) => {
        const { states } = await readStates(tx.db, tx.dialect, [...forget, ...takeBack], tx.dialect.forUpdate);
        for (const [key, state] of states) {
          if (takeBack.includes(key)) await writeState(tx, key, takeBackTry(state));
          else await tx.db.deleteFrom("sign_in_tries").where("key", "=", key).execute();
        }
      }),
  };
}

async function countAll(tx: Tx, tries: readonly SignInTry[]): Promise<{ key: string; forMs: number } | null> {
  const keys = tries.map(({ key }) => key).sort();
  // Rows that are not there cannot be locked: two first tries would not see each other.
  await tx.db
    .insertInto("sign_in_tries")
    .values(keys.map((key) => ({ key, tries: 0, last_try_at: tx.dialect.now(), blocked_until: 0 })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const known = await readStates(tx.db, tx.dialect, keys, tx.dialect.forUpdate);
  const blocked = findBlocked(known);
  if (blocked !== null) return blocked;
  for (const { key, policy } of tries) {
    await writeState(tx, key, countTry(known.states.get(key) ?? null, known.now, policy));
  }
  await forgetOld(tx);
  return null;
}

/** In the order of their keys, so that nobody waits for somebody who waits for them. */
async function readStates(
  db: Db,
  dialect: Dialect,
  keys: readonly string[],
  lock: RawBuilder<unknown>,
): Promise<Known> {
  if (keys.length === 0) return { now: 0, states: new Map() };
  const { rows } = await sql<{ key: string; tries: number; last_try_at: number; blocked_until: number; now: number }>`
    select key, tries, last_try_at, blocked_until, ${dialect.now()} as now from sign_in_tries
    where key in (${sql.join(keys)}) order by key${lock}`.execute(db);
  return {
    now: Number(rows[0]?.now ?? 0),
    states: new Map(
      rows.map((row) => [row.key, { tries: row.tries, lastTryAt: row.last_try_at, blockedUntil: row.blocked_until }]),
    ),
  };
}

function findBlocked({ now, states }: Known): { key: string; forMs: number } | null {
  for (const [key, state] of states) if (isBlocked(state, now)) return { key, forMs: state.blockedUntil - now };
  return null;
}

async function writeState(tx: Tx, key: string, state: ThrottleState): Promise<void> {
  await tx.db
    .updateTable("sign_in_tries")
    .set({ tries: state.tries, last_try_at: state.lastTryAt, blocked_until: state.blockedUntil })
    .where("key", "=", key)
    .execute();
}

async function forgetOld(tx: Tx): Promise<void> {
  await sql`
    delete from sign_in_tries where key in (
      select key from sign_in_tries where last_try_at < ${tx.dialect.now()} - ${sql.lit(FORGET_AFTER_MS)}
      order by last_try_at limit ${sql.lit(FORGET_AT_ONCE)}${tx.dialect.forUpdateSkipLocked})`.execute(tx.db);
}
