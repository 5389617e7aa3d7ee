import type { AccessApp } from "../app/access/access-app.ts";
import type { OpenIdProvider, OpenIdRules } from "../app/access/open-id.ts";
import type { RateLimits } from "./rate-limit.ts";
import type { PublicUrl } from "./session-cookie.ts";

/** How people and programs are let in. */
export interface AccessParts extends Omit<AccessApp, "store"> {
  readonly publicUrl: PublicUrl;
  /** Addresses of proxies that are believed whom they speak for. */
  readonly trustedProxies: readonly string[];
  readonly rateLimits: RateLimits;
  /** Null when nobody signs in through a provider. */
  readonly openId: { readonly provider: OpenIdProvider; readonly rules: OpenIdRules } | null;
}
