import { userInfo } from "node:os";
import { type HostKey, parseHostKey } from "../../src/connectors/ssh/host-key.ts";
import { type KeyPair, makeKeyPair } from "../../src/connectors/ssh/key-pair.ts";
import type { SshTarget } from "../../src/connectors/ssh/ssh-target.ts";

export { type KeyPair, makeKeyPair };

/** An SSH server on loopback that runs commands as the user of the tests. */
export interface SshServer {
  readonly port: number;
  readonly hostKey: HostKey;
  readonly target: SshTarget;
  /** Processes that belong to the server alone, for tests that stop them. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

export function makeTarget(port: number, hostKey: KeyPair, userKey: KeyPair): SshTarget {
  return {
    host: "127.0.0.1",
    port,
    user: userInfo().username,
    credentials: { privateKeys: [{ key: userKey.private }] },
    hostKeys: [parseHostKey(hostKey.public)],
  };
}
