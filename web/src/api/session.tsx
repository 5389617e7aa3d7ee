import type { Role } from "@drover/contract";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { isApiError } from "./api-error.ts";
import { callApi, listenToAnswers } from "./client.ts";
import type { Preferences, User } from "./objects.ts";

/** `expired`: somebody was signed in and has to sign in again; what they see and have typed stays. */
export type SessionState = "loading" | "unreachable" | "signed-out" | "signed-in" | "expired";

export type Credentials = { readonly name: string; readonly password: string } | { readonly token: string };

export interface Session {
  readonly state: SessionState;
  readonly user: User | null;
  readonly preferences: Preferences;
  /** When the data that is shown was kept, while the server cannot reach its store. */
  readonly snapshotTime: string | null;
  readonly may: (role: Role) => boolean;
  readonly readAgain: () => Promise<void>;
  readonly noteSignedOut: () => void;
  readonly signIn: (credentials: Credentials) => Promise<void>;
  readonly signOut: () => Promise<void>;
  readonly prefer: (preferences: Preferences) => void;
}

const Context = createContext<Session | undefined>(undefined);
const RANK: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 };

const askWho = () => callApi("sessions", "whoAmI", {});
let early: ReturnType<typeof askWho> | undefined;

/** Asks before anything is drawn, so that the answer is there when the rest is. */
export function askEarly(): void {
  early = askWho();
  early.catch(() => undefined);
}

/** Knows who is signed in, from the first look until they sign out. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [state, setState] = useState<SessionState>("loading");
  const [me, setMe] = useState<{ readonly user: User; readonly preferences: Preferences } | null>(null);
  const [snapshotTime, setSnapshotTime] = useState<string | null>(null);

  const noteSignedOut = useCallback(
    () => setState((now) => (now === "signed-in" || now === "expired" ? "expired" : "signed-out")),
    [],
  );
  const readAgain = useCallback(async () => {
    try {
      const asked = early ?? askWho();
      early = undefined;
      setMe(await asked);
      setState("signed-in");
    } catch (error) {
      if (isApiError(error, "unauthenticated")) noteSignedOut();
      else setState((now) => (now === "loading" ? "unreachable" : now));
    }
  }, [noteSignedOut]);

  useEffect(() => {
    listenToAnswers({ onUnauthenticated: noteSignedOut, onSnapshot: setSnapshotTime });
    void readAgain();
  }, [noteSignedOut, readAgain]);

  const value = useMemo<Session>(
    () => ({
      ...{ state, snapshotTime, readAgain, noteSignedOut },
      user: me?.user ?? null,
      preferences: me?.preferences ?? {},
      may: (role) => me !== null && RANK[me.user.role] >= RANK[role],
      signIn: async (credentials) => {
        if ("token" in credentials) await callApi("sessions", "loginWithLink", { body: credentials });
        else await callApi("sessions", "login", { body: credentials });
        const name = me?.user.name;
        const next = await callApi("sessions", "whoAmI", {});
        // Somebody else must not see what the one before them has read.
        if (name !== undefined && name !== next.user.name) client.clear();
        setMe(next);
        setState("signed-in");
        await client.invalidateQueries();
      },
      signOut: async () => {
        await callApi("sessions", "logout", {}).catch(() => undefined);
        client.clear();
        setMe(null);
        setState("signed-out");
      },
      prefer: (preferences) => {
        if (me === null) return;
        const merged = { ...me.preferences, ...preferences };
        setMe({ ...me, preferences: merged });
        void callApi("sessions", "changeMe", { body: { preferences: merged } }).catch(() => undefined);
      },
    }),
    [state, snapshotTime, me, client, readAgain, noteSignedOut],
  );
  return <Context value={value}>{children}</Context>;
}

export function useSession(): Session {
  const found = useContext(Context);
  if (found === undefined) throw new Error("useSession needs a SessionProvider above it");
  return found;
}

/** The token of a login link. It stands behind the #, which browsers send to nobody. */
export function readLinkToken(hash: string): string | null {
  return /^#token=([\w-]{16,256})$/.exec(hash)?.[1] ?? null;
}
