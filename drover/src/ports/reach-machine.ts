import type { Connector } from "./connector.ts";
import type { SshTarget } from "./ssh-target.ts";

/** A host key as it was shown: `SHA256:…`, as `ssh-keygen -l` prints it, and its type. */
export interface ShownKey {
  readonly fingerprint: string;
  readonly type: string;
}

/** The way to machines that belong to no cluster yet. */
export interface ReachMachine {
  /** Nothing is said to it before something is run. */
  connect(target: SshTarget, runAs: "user" | "root"): Pick<Connector, "run" | "close">;
  /** The key that it shows now, of this type where it has one. It is told nothing. Rejects with an `UnreachableError`. */
  fetchHostKey(target: SshTarget, type?: string, signal?: AbortSignal): Promise<ShownKey>;
}

/** Every type of host key that there is, in the order in which a host is asked for them. */
export const HOST_KEY_TYPES = ["ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"] as const;
