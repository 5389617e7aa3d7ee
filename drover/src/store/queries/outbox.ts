import { sql } from "kysely";
import { newId } from "../../lib/ids.ts";
import type { OutboxMessage, OutboxStore } from "../../ports/store/index.ts";
import type { Database } from "../database.ts";
import { type Session, storableText, type Tx } from "../session.ts";

export async function enqueueMessage(
  session: Session,
  tx: Tx,
  message: { topic: string; payload: unknown; delayMs?: number },
): Promise<string> {
  const id = newId(session.clock.now());
  const now = tx.dialect.now();
  await tx.db
    .insertInto("outbox")
    .values({
      id,
      topic: message.topic,
      payload: JSON.stringify(message.payload),
      run_at: sql<number>`${now} + cast(${message.delayMs ?? 0} as bigint)`,
      attempt: 0,
      token: 0,
      created_at: now,
    })
    .execute();
  tx.wake("outbox");
  return id;
}

export function outboxStore(session: Session): OutboxStore {
  const isHeld = (message: OutboxMessage) =>
    sql`id = ${message.id} and token = ${message.token} and delivered_at is null`;
  return {
    enqueue: (message) => session.write((tx) => enqueueMessage(session, tx, message)),
    claimMessages: ({ holder, limit, leaseMs }) =>
      session.write(async (tx) => {
        const claimed = await sql<Database["outbox"]>`
          with picked as materialized (
            select id from outbox
            where delivered_at is null and run_at <= ${tx.dialect.now()}
              and (lease_expires_at is null or lease_expires_at <= ${tx.dialect.leaseNow()})
            order by run_at, id limit ${limit}${tx.dialect.forUpdateSkipLocked}
          )
          update outbox set
            token = token + 1, attempt = attempt + 1, holder = ${holder},
            lease_expires_at = ${tx.dialect.leaseNow()} + cast(${leaseMs} as bigint)
          where id in (select id from picked)
          returning *`.execute(tx.db);
        return claimed.rows.map(({ id, topic, payload, attempt, token }) => ({
          id,
          topic,
          payload: JSON.parse(payload),
          attempt,
          token,
        }));
      }),
    markDelivered: (message) =>
      session.write(async (tx) => {
        const done = await sql`
          update outbox set delivered_at = ${tx.dialect.now()}, lease_expires_at = null, error = null
          where ${isHeld(message)} returning id`.execute(tx.db);
        return done.rows.length === 1;
      }),
    markFailed: (message, failure) =>
      session.write(async (tx) => {
        const done = await sql`
          update outbox set
            error = ${storableText(failure.error)}, lease_expires_at = null,
            run_at = ${tx.dialect.now()} + cast(${failure.delayMs} as bigint)
          where ${isHeld(message)} returning id`.execute(tx.db);
        return done.rows.length === 1;
      }),
  };
}
