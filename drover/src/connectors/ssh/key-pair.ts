import ssh2 from "ssh2";

export interface KeyPair {
  readonly private: string;
  readonly public: string;
}

/** A new Ed25519 key. Some of those that ssh2 makes cannot be read, not even by itself. */
export function makeKeyPair(): KeyPair {
  const pair = ssh2.utils.generateKeyPairSync("ed25519");
  return ssh2.utils.parseKey(pair.private) instanceof Error ? makeKeyPair() : pair;
}
