import { Argon2Passwords } from "../src/app/access/argon2-passwords.ts";
import type { AccessParts } from "../src/http/access-parts.ts";
import { systemClock } from "../src/ports/clock.ts";

const HOUR_MS = 3_600_000;

/** Real access with passwords that are cheap to hash, and without limits. */
export const testAccess = (more: Partial<AccessParts> = {}): AccessParts => ({
  passwords: new Argon2Passwords({ memoryKib: 8, passes: 1, lanes: 1 }),
  clock: systemClock,
  sessions: { idleMs: HOUR_MS, longestMs: 24 * HOUR_MS },
  publicUrl: null,
  trustedProxies: [],
  rateLimits: { perCaller: 0, perAddress: 0 },
  openId: null,
  ...more,
});
