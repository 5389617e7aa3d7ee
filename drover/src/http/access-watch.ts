import { type Grant, grantOf, isSameGrant } from "../app/access/grant.ts";
import type { Caller } from "../app/caller.ts";
import type { AccessStore, CredentialRef } from "../ports/store/index.ts";
import { systemTimer, type Timer } from "../ports/timer.ts";

const CHECK_EVERY_MS = 500;

/**
 * Calls `onEnd` once, within a second of the moment at which the caller's session or token was revoked or has expired,
 * or its user was disabled or may do something else than before. The answer ends the watching.
 */
export type WatchAccess = (caller: Caller, onEnd: () => void) => () => void;

interface Watched {
  readonly ref: CredentialRef;
  readonly grant: Grant;
  readonly onEnd: () => void;
}

/**
 * Looks after everything that stays open longer than a request. However many streams there are, one statement asks for
 * all of their credentials; while there are none, nothing is asked. What another server revoked is seen alike.
 */
export class AccessWatch {
  readonly #access: AccessStore;
  readonly #timer: Timer;
  readonly #onError: (error: unknown) => void;
  readonly #watched = new Set<Watched>();
  #cancelCheck: (() => void) | null = null;
  #checking = false;
  #closed = false;

  constructor(access: AccessStore, onError: (error: unknown) => void, timer: Timer = systemTimer) {
    this.#access = access;
    this.#onError = onError;
    this.#timer = timer;
  }

  readonly watch: WatchAccess = (caller, onEnd) => {
    const { role, scopes, credential } = caller;
    const watched: Watched = { ref: credential, grant: { role, scopes }, onEnd };
    this.#watched.add(watched);
    this.#schedule();
    return () => {
      this.#watched.delete(watched);
      if (this.#watched.size === 0) this.#stop();
    };
  };

  close(): void {
    this.#closed = true;
    this.#watched.clear();
    this.#stop();
  }

  #schedule(): void {
    if (this.#closed || this.#watched.size === 0 || this.#checking || this.#cancelCheck !== null) return;
    this.#cancelCheck = this.#timer.after(CHECK_EVERY_MS, () => {
      this.#cancelCheck = null;
      this.#checking = true;
      void this.#check().finally(() => {
        this.#checking = false;
        this.#schedule();
      });
    });
  }

  #stop(): void {
    this.#cancelCheck?.();
    this.#cancelCheck = null;
  }

  async #check(): Promise<void> {
    const asked = [...this.#watched];
    const refs = new Map(asked.map(({ ref }) => [keyOf(ref), { kind: ref.kind, id: ref.id }]));
    try {
      const live = await this.#access.listLiveAccess([...refs.values()]);
      const grants = new Map(live.map(({ kind, id, user, token }) => [keyOf({ kind, id }), grantOf(user, token)]));
      for (const watched of asked) {
        const grant = grants.get(keyOf(watched.ref));
        if (grant === undefined || !isSameGrant(grant, watched.grant)) this.#end(watched);
      }
    } catch (error) {
      // While the store does not answer nobody can revoke anything in it either; the next check comes soon.
      this.#onError(error);
    }
  }

  #end(watched: Watched): void {
    if (!this.#watched.delete(watched)) return;
    try {
      watched.onEnd();
    } catch (error) {
      this.#onError(error);
    }
  }
}

const keyOf = ({ kind, id }: CredentialRef): string => `${kind} ${id}`;
