import { DroverError } from "@drover/contract";
import type { Actor, Idempotency } from "../../ports/store/index.ts";
import type { Tx } from "../session.ts";

const IN_THE_MAKING = "";

/**
 * Runs `work` once per key: the answer is stored with what it did, in one transaction, and given again when the key
 * comes again. A rival with the same key waits at the key's row until the first one has committed.
 */
export async function onlyOnce<T>(
  tx: Tx,
  actor: Actor,
  idempotency: Idempotency | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (idempotency === undefined) return await work();
  const identity = { actor: `${actor.type}/${actor.name}`, key: idempotency.key };
  const reserved = await tx.db
    .insertInto("idempotency_keys")
    .values({
      ...identity,
      request_hash: idempotency.requestHash,
      response: IN_THE_MAKING,
      created_at: tx.dialect.now(),
    })
    .onConflict((conflict) => conflict.columns(["actor", "key"]).doNothing())
    .returning("key")
    .executeTakeFirst();
  const ofKey = <Q extends { where(column: "actor" | "key", op: "=", value: string): Q }>(query: Q): Q =>
    query.where("actor", "=", identity.actor).where("key", "=", identity.key);
  if (reserved === undefined) {
    const stored = await ofKey(tx.db.selectFrom("idempotency_keys").selectAll()).executeTakeFirstOrThrow();
    if (stored.request_hash !== idempotency.requestHash) {
      throw new DroverError(
        "idempotency-key-reused",
        `The Idempotency-Key "${idempotency.key}" was used before for a different request.`,
      );
    }
    return JSON.parse(stored.response) as T;
  }
  const answer = await work();
  await ofKey(tx.db.updateTable("idempotency_keys").set({ response: JSON.stringify(answer) })).execute();
  return answer;
}
