import { DroverError } from "@drover/contract";
import type { Session, SettingGuard } from "../session.ts";
import { decrypt, type Envelope, encrypt } from "./envelope.ts";
import type { KeyRing } from "./key-ring.ts";

const SETTING = "store.master-key";
const KNOWN_TEXT = Buffer.from("this store belongs to this master key");

/** Refuses a store of another key before anything is written to it. */
export const masterKeyGuard = (ring: KeyRing): SettingGuard => ({
  key: SETTING,
  check: (value) => verify(ring, value),
});

/** Binds a new store to its first key. Of two processes that open it at once with different keys, one is refused. */
export async function checkMasterKey(session: Session, ring: KeyRing): Promise<void> {
  const read = () =>
    session.read((db) => db.selectFrom("settings").select("value").where("key", "=", SETTING).executeTakeFirst());
  let known = await read();
  if (known === undefined) {
    await bindMasterKey(session, ring, { replace: false });
    known = await read();
  }
  verify(ring, known?.value ?? "null");
}

function verify(ring: KeyRing, value: string): void {
  const envelope = JSON.parse(value) as Envelope;
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

export async function bindMasterKey(session: Session, ring: KeyRing, options: { replace: boolean }): Promise<void> {
  const value = JSON.stringify(encrypt(ring, SETTING, KNOWN_TEXT));
  await session.write(async (tx) => {
    await tx.db
      .insertInto("settings")
      .values({ key: SETTING, value, version: 1, updated_at: tx.dialect.now(), updated_by: "drover" })
      .onConflict((conflict) => {
        const onKey = conflict.column("key");
        return options.replace
          ? onKey.doUpdateSet((eb) => ({ value: eb.ref("excluded.value"), updated_at: eb.ref("excluded.updated_at") }))
          : onKey.doNothing();
      })
      .execute();
  });
}
