/**
 * Why nothing can be asked of a host. None of them says anything about what the host has or does.
 *
 * - `name-unknown`, `no-route`, `refused`, `timed-out`: it was not reached
 * - `no-banner`: something is there that does not speak SSH, or hangs
 * - `handshake-failed`: it speaks SSH, but there was no agreement, or it hung up
 * - `host-key-unknown`, `host-key-changed`: it may be another machine, so nothing was said to it
 * - `credentials-unusable`: a key cannot be read, so it was not asked
 * - `auth-refused`: it does not let us in
 * - `no-session`: it lets us in, but nothing may be run
 * - `lost`: the connection broke
 */
export type UnreachableReason =
  | "name-unknown"
  | "no-route"
  | "refused"
  | "timed-out"
  | "no-banner"
  | "handshake-failed"
  | "host-key-unknown"
  | "host-key-changed"
  | "credentials-unusable"
  | "auth-refused"
  | "no-session"
  | "lost";

const NEXT_MOVES: Readonly<Record<UnreachableReason, string>> = {
  "name-unknown": "Check how the name is written, or give the address.",
  "no-route": "Check the network between the two machines.",
  refused: "Check that sshd runs there and listens on this port.",
  "timed-out": "Check that the machine is up and that no firewall drops the port.",
  "no-banner": "Check that it is sshd that listens on this port, and that the machine is not overloaded.",
  "handshake-failed": "Check the log of sshd there; it may want other algorithms or have too many connections.",
  "host-key-unknown": "Compare the fingerprint with the one on the machine, then pin it by enrolling the machine.",
  "host-key-changed":
    "If the machine was installed anew, accept its new key (`drover machine accept-key`); otherwise somebody may be in between.",
  "credentials-unusable": "Give an unencrypted private key in OpenSSH or PEM format, or its passphrase.",
  "auth-refused": "Check the user, and that the public key is in its authorized_keys or the password is right.",
  "no-session": "Raise MaxSessions in the sshd_config of the machine, and check that the user has a shell.",
  lost: "Check the machine and the network; work goes on when the machine is back.",
};

export const UNREACHABLE_REASONS = Object.keys(NEXT_MOVES) as readonly UnreachableReason[];

export interface Unreachable {
  readonly reason: UnreachableReason;
  readonly host: string;
  /** What was seen, as a sentence. */
  readonly detail: string;
  readonly cause?: unknown;
}

/** A host of which nothing is known now, because it cannot be asked. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
  readonly reason: UnreachableReason;
  readonly host: string;
  readonly nextMove: string;

  constructor({ reason, host, detail, cause }: Unreachable) {
    const nextMove = NEXT_MOVES[reason];
    super(`${host} cannot be reached. ${detail} ${nextMove}`, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.host = host;
    this.nextMove = nextMove;
  }
}

export function isUnreachable(error: unknown, reason?: UnreachableReason): error is UnreachableError {
  return error instanceof UnreachableError && (reason === undefined || error.reason === reason);
}
