import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { DroverError } from "@drover/contract";
import type { KeyRing, MasterKey } from "./key-ring.ts";

/** What is stored of a secret. Each part is nonce, tag and ciphertext in base64. */
export interface Envelope {
  readonly masterKeyId: string;
  readonly wrappedKey: string;
  readonly ciphertext: string;
}

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `identity` is bound into the seal: an envelope that is moved to another row does not open there. */
function seal(key: Buffer, identity: string, plain: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(identity));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
}

function open(key: Buffer, identity: string, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(identity))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}

const keyIdentity = (identity: string) => `key ${identity}`;
const valueIdentity = (identity: string) => `value ${identity}`;

/** Encrypts under a fresh key, and that key under the master key. */
export function encrypt(ring: KeyRing, identity: string, plain: Uint8Array): Envelope {
  const key = randomBytes(32);
  return {
    masterKeyId: ring.current.id,
    wrappedKey: seal(ring.current.key, keyIdentity(identity), key),
    ciphertext: seal(key, valueIdentity(identity), plain),
  };
}

export function decrypt(ring: KeyRing, identity: string, envelope: Envelope): Buffer {
  const key = unwrap(ring, identity, envelope);
  return guarded(identity, () => open(key, valueIdentity(identity), envelope.ciphertext));
}

/** For an envelope that was kept as text. */
export function openSealed(ring: KeyRing, identity: string, sealed: string): Buffer {
  let envelope: unknown;
  try {
    envelope = JSON.parse(sealed);
  } catch (error) {
    throw unreadable(identity, error);
  }
  const parts = envelope as Partial<Envelope> | null;
  const { masterKeyId, wrappedKey, ciphertext } = parts ?? {};
  if (typeof masterKeyId !== "string" || typeof wrappedKey !== "string" || typeof ciphertext !== "string") {
    throw unreadable(identity, new Error("It is no envelope."));
  }
  return decrypt(ring, identity, { masterKeyId, wrappedKey, ciphertext });
}

/** The same secret with its key wrapped under the current master key; the secret itself is not touched. */
export function rewrap(ring: KeyRing, identity: string, envelope: Envelope): Envelope {
  const key = unwrap(ring, identity, envelope);
  return {
    masterKeyId: ring.current.id,
    wrappedKey: seal(ring.current.key, keyIdentity(identity), key),
    ciphertext: envelope.ciphertext,
  };
}

function unwrap(ring: KeyRing, identity: string, envelope: Envelope): Buffer {
  const master: MasterKey | undefined = [ring.current, ...ring.older].find(
    (known) => known.id === envelope.masterKeyId,
  );
  if (master === undefined) {
    throw new DroverError(
      "master-key-wrong",
      `A secret was encrypted under master key ${envelope.masterKeyId}, which is not given.`,
    );
  }
  return guarded(identity, () => open(master.key, keyIdentity(identity), envelope.wrappedKey));
}

function guarded(identity: string, work: () => Buffer): Buffer {
  try {
    return work();
  } catch (error) {
    throw unreadable(identity, error);
  }
}

const unreadable = (identity: string, cause: unknown): DroverError =>
  new DroverError("secret-unreadable", `The secret ${identity} does not decrypt: it was changed.`, { cause });
