import { randomBytes } from "node:crypto";
import { sha256 } from "../../lib/sha256.ts";

export interface NewSecret {
  /** Shown once, to whom it is for. */
  readonly secret: string;
  /** All that is kept. 256 random bits need no slow hash. */
  readonly hash: string;
}

export function makeSecret(prefix = ""): NewSecret {
  const secret = `${prefix}${randomBytes(32).toString("base64url")}`;
  return { secret, hash: sha256(secret) };
}

export const TOKEN_PREFIX = "drv_";
