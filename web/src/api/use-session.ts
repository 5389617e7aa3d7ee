import { useCallback, useEffect, useState } from "react";
import { readLinkToken, readSession, type Session, type SignInFailure, signIn, signOut } from "./session.ts";

export interface SessionControl {
  readonly session: Session;
  readonly failure: SignInFailure | null;
  readonly signIn: (name: string, password: string) => Promise<void>;
  readonly signOut: () => Promise<void>;
}

/** Who is signed in. A login link in the address is used once and taken out of the address. */
export function useSession(): SessionControl {
  const [session, setSession] = useState<Session>({ kind: "loading" });
  const [failure, setFailure] = useState<SignInFailure | null>(null);

  const take = useCallback((entered: Entered) => {
    setFailure(entered.failure);
    setSession(entered.session);
  }, []);

  useEffect(() => {
    const token = readLinkToken(window.location.hash);
    // Before anything else: a reload must not try it again, and the history must not keep it.
    if (token !== null) window.history.replaceState(null, "", "/");
    void enter(token === null ? null : { token }).then(take);
  }, [take]);

  return {
    session,
    failure,
    signIn: async (name, password) => take(await enter({ name, password })),
    signOut: async () => {
      await signOut();
      take(await enter(null));
    },
  };
}

interface Entered {
  readonly failure: SignInFailure | null;
  readonly session: Session;
}

/** Signs in where there is something to sign in with, and says who that makes one. */
async function enter(credentials: Parameters<typeof signIn>[0] | null): Promise<Entered> {
  const failure = credentials === null ? null : await signIn(credentials);
  return { failure, session: await readSession() };
}
