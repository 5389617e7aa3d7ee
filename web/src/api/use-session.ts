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

  const enter = useCallback(async (credentials: Parameters<typeof signIn>[0]) => {
    setFailure(await signIn(credentials));
    setSession(await readSession());
  }, []);

  useEffect(() => {
    const token = readLinkToken(window.location.hash);
    if (token === null) {
      void readSession().then(setSession);
      return;
    }
    // Before anything else: a reload must not try it again, and the history must not keep it.
    window.history.replaceState(null, "", "/");
    void enter({ token });
  }, [enter]);

  return {
    session,
    failure,
    signIn: (name, password) => enter({ name, password }),
    signOut: async () => {
      await signOut();
      setSession(await readSession());
    },
  };
}
