import { type FormEvent, useState } from "react";
import { openIdAddress, type SignedIn, type SignInFailure } from "../api/session.ts";
import type { SessionControl } from "../api/use-session.ts";
import type { Messages } from "../i18n/messages.ts";
import { useLanguage } from "../i18n/use-language.tsx";
import { markCode } from "./mark-code.tsx";

/** Who is signed in, or the way to sign in. */
export function SessionCard({ session, failure, signIn, signOut }: SessionControl) {
  const { messages } = useLanguage();
  if (session.kind === "loading" || session.kind === "unknown") return null;
  return (
    <section className="card session" aria-labelledby="session-title">
      <h2 id="session-title">{session.kind === "signed-in" ? messages.fleetTitle : messages.signInTitle}</h2>
      {failure === null ? null : (
        <p className="sign-in-failure" role="alert">
          {describeFailure(messages, failure)}
        </p>
      )}
      {session.kind === "signed-in" ? (
        <Fleet session={session} onSignOut={signOut} />
      ) : (
        <SignInForm onSignIn={signIn} openId={session.openId} />
      )}
    </section>
  );
}

function Fleet({ session, onSignOut }: { readonly session: SignedIn; readonly onSignOut: () => Promise<void> }) {
  const { messages } = useLanguage();
  const phases = Object.entries(session.phases ?? {});
  return (
    <>
      {phases.length === 0 ? <p>{markCode(messages.fleetEmpty)}</p> : null}
      <dl className="facts">
        {phases.map(([phase, count]) => (
          <div key={phase}>
            <dt>{phase}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      <p className="session-who">
        {messages.signedInAs(session.name, session.role)}
        <button type="button" className="button" onClick={() => void onSignOut()}>
          {messages.signOut}
        </button>
      </p>
    </>
  );
}

interface SignInFormProps {
  readonly onSignIn: SessionControl["signIn"];
  readonly openId: boolean;
}

function SignInForm({ onSignIn, openId }: SignInFormProps) {
  const { messages } = useLanguage();
  const [busy, setBusy] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name, password } = Object.fromEntries(new FormData(event.currentTarget));
    if (typeof name !== "string" || typeof password !== "string") return;
    setBusy(true);
    void onSignIn(name, password).finally(() => setBusy(false));
  };
  return (
    <form className="sign-in" onSubmit={submit}>
      <p>{messages.signInText}</p>
      <label>
        {messages.userName}
        <input name="name" autoComplete="username" required maxLength={64} />
      </label>
      <label>
        {messages.password}
        <input name="password" type="password" autoComplete="current-password" required maxLength={1024} />
      </label>
      <button type="submit" className="button" disabled={busy}>
        {messages.signIn}
      </button>
      {openId ? <a href={openIdAddress}>{messages.signInOpenId}</a> : null}
    </form>
  );
}

function describeFailure(messages: Messages, { code, retryAfterSeconds }: SignInFailure): string {
  if (code === "login-failed") return messages.signInFailed;
  if (code === "rate-limited") return messages.signInThrottled(retryAfterSeconds ?? 1);
  return code === "network" ? messages.causeNetwork : messages.signInRefused(code);
}
