import type { Clock } from "../../ports/clock.ts";
import type { PasswordHasher } from "../../ports/password-hasher.ts";
import type { SessionRecord, Store, UserRecord } from "../../ports/store/index.ts";

/** What the use cases of accounts, sessions and tokens work with. */
export interface AccessApp {
  readonly store: Pick<Store, "access" | "audit">;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
  readonly sessions: {
    /** A session that is not used ends after so long. */
    readonly idleMs: number;
    /** Every session ends after so long. */
    readonly longestMs: number;
  };
}

/** Who stands at the door: what is known of them before they are known. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
}

export interface SignedIn {
  readonly user: UserRecord;
  readonly session: SessionRecord;
  /** For the cookie; only its hash is kept. */
  readonly secret: string;
}
