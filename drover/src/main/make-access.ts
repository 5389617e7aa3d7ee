import { readFileSync } from "node:fs";
import { Argon2Passwords } from "../app/access/argon2-passwords.ts";
import type { Options } from "../config/options.ts";
import type { AccessParts } from "../http/access-parts.ts";
import { openIdClient } from "../http/open-id-client.ts";
import { systemClock } from "../ports/clock.ts";

/** How people and programs are let in, as the options say. */
export function makeAccess(options: Options): AccessParts {
  const { publicUrl, trustedProxies, sessionIdle, sessionLifetime, rateLimit, anonymousRateLimit } = options;
  return {
    ...{ publicUrl, trustedProxies },
    passwords: new Argon2Passwords(),
    clock: systemClock,
    sessions: { idleMs: sessionIdle, longestMs: sessionLifetime },
    rateLimits: { perCaller: rateLimit, perAddress: anonymousRateLimit },
    openId: makeOpenId(options),
  };
}

function makeOpenId(options: Options): AccessParts["openId"] {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecretFile: secretFile, oidcScopes: scopes } = options;
  if (issuer === null) return null;
  const clientSecret = secretFile === null ? null : readFileSync(secretFile, "utf8").trim();
  return {
    provider: openIdClient({ issuer, clientId, clientSecret, scopes }),
    rules: {
      roleClaim: options.oidcRoleClaim,
      roles: options.oidcRoles,
      defaultRole: options.oidcDefaultRole === "none" ? null : options.oidcDefaultRole,
      allowedDomains: options.oidcAllowedDomains,
    },
  };
}

/** The names that Drover answers to beside those of this machine. */
export function listAllowedHosts({ allowedHosts, publicUrl }: Pick<Options, "allowedHosts" | "publicUrl">) {
  return publicUrl === null ? allowedHosts : [...allowedHosts, new URL(publicUrl).hostname];
}
