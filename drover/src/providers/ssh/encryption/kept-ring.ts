import { randomBytes } from "node:crypto";
import type { StepContext } from "../../../ports/step.ts";
import { clusterSecretOwner, ENCRYPTION_KEYS_SECRET } from "../../../ports/store/index.ts";
import { type EncryptionKey, formatRing, type KeyRing, parseRing } from "./key-ring.ts";

export async function readRing(context: StepContext): Promise<KeyRing> {
  const ring = parseRing(await context.readSecret(clusterSecretOwner(context.cluster.id), ENCRYPTION_KEYS_SECRET));
  for (const { secret } of ring.keys) context.mask(secret);
  return ring;
}

/** Before anything on a machine follows it. */
export async function keepRing(context: StepContext, ring: KeyRing): Promise<void> {
  await context.keepSecret(ENCRYPTION_KEYS_SECRET, formatRing(ring));
}

export function makeKey(context: StepContext): EncryptionKey {
  const key = { name: `key-${randomBytes(6).toString("hex")}`, secret: randomBytes(32).toString("base64") };
  context.mask(key.secret);
  return key;
}
