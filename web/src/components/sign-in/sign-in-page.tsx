import { useEffect } from "react";
import { useMessages } from "../../i18n/use-language.tsx";
import { Logo } from "../shell/logo.tsx";
import { PreferenceMenu } from "../shell/preference-menu.tsx";
import css from "./sign-in.module.css";
import { SignInForm } from "./sign-in-form.tsx";

/** Shown at whatever address somebody opened: once they are in, they are there. */
export function SignInPage() {
  const m = useMessages();
  useEffect(() => {
    document.title = `${m.signIn.title} · Drover`;
  }, [m]);
  return (
    <div className={css.stage}>
      <div className={css.top}>
        <PreferenceMenu />
      </div>
      <main className={css.card}>
        <Logo />
        <div>
          <h1>{m.signIn.title}</h1>
          <p className={css.text}>{m.signIn.text}</p>
        </div>
        <SignInForm />
      </main>
    </div>
  );
}
