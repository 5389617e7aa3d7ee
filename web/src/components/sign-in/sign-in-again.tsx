import { useSession } from "../../api/session.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import { Dialog } from "../dialogs/dialog.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/** The session ended while somebody was at work: they sign in on top of it, and nothing they typed is lost. */
export function SignInAgain() {
  const m = useMessages();
  const { state, signOut } = useSession();
  return (
    <Dialog title={m.signIn.again} opened={state === "expired"} onClose={() => void signOut()} pinned>
      <p>{m.signIn.againText}</p>
      <SignInForm />
    </Dialog>
  );
}
