export type SudoRefusal = "wrong-password" | "password-needed" | "not-allowed" | "missing" | "failed";

const MESSAGES: Readonly<Record<SudoRefusal, string>> = {
  "wrong-password": "sudo does not take the password. Correct the sudo password of this machine.",
  "password-needed": "sudo wants a password. Give the sudo password of this machine, or allow NOPASSWD for this user.",
  "not-allowed": "This user may not use sudo there. Add it to the sudoers of the machine, or log in as root.",
  missing: "There is no sudo on the machine. Install it, or log in as root.",
  failed: "sudo could not start a shell.",
};

/** Why nobody could become root on a host. */
export class SudoError extends Error {
  override readonly name = "SudoError";
  readonly refusal: SudoRefusal;

  constructor(refusal: SudoRefusal, said?: string) {
    super(said === undefined ? MESSAGES[refusal] : `${MESSAGES[refusal]} It said: ${said}`);
    this.refusal = refusal;
  }
}

/** What sudo meant by its last words; null when they are not its own, so that nothing is known of it. */
export function explainSudoFailure(said: string, answered: boolean): SudoError | null {
  if (/a password is required|no password was provided|a terminal is required/.test(said)) {
    return new SudoError(answered ? "wrong-password" : "password-needed");
  }
  if (/incorrect password|try again/i.test(said)) return new SudoError("wrong-password");
  if (/not in the sudoers|may not run sudo|is not allowed to/.test(said)) return new SudoError("not-allowed");
  if (/sudo\S*: (command )?not found|sudo.?: No such file/.test(said)) return new SudoError("missing");
  return /^sudo: /m.test(said) ? new SudoError("failed", said.split("\n").at(-1)?.slice(0, 200)) : null;
}
