import { DroverError } from "@drover/contract";
import type { Session } from "../session.ts";
import { decrypt, type Envelope, encrypt } from "./envelope.ts";
import type { KeyRing } from "./key-ring.ts";

const SETTING = "store.master-key";
const KNOWN_TEXT = Buffer.from("this store belongs to this master key");

/** Refuses to open a store with a key that is not its own; binds a new store to its first key. */
export async function checkMasterKey(session: Session, ring: KeyRing): Promise<void> {
  const known = await session.read((db) =>
    db.selectFrom("settings").select("value").where("key", "=", SETTING).executeTakeFirst(),
  );
  if (known === undefined) return await bindMasterKey(session, ring);
  const envelope = JSON.parse(known.value) as Envelope;
  try {
    decrypt(ring, SETTING, envelope);
  } catch (error) {
    throw new DroverError(
      "master-key-wrong",
      `The store was made with master key ${envelope.masterKeyId}; the key given is ${ring.current.id}.`,
      { cause: error },
    );
  }
}

export async function bindMasterKey(session: Session, ring: KeyRing): Promise<void> {
  const value = JSON.stringify(encrypt(ring, SETTING, KNOWN_TEXT));
  await session.write(async (tx) => {
    await tx.db
      .insertInto("settings")
      .values({ key: SETTING, value, version: 1, updated_at: tx.dialect.now(), updated_by: "drover" })
      .onConflict((conflict) =>
        conflict
          .column("key")
          .doUpdateSet((eb) => ({ value: eb.ref("excluded.value"), updated_at: eb.ref("excluded.updated_at") })),
      )
      .execute();
  });
}
