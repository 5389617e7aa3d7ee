import type { Actor, Time } from "./records.ts";

export interface SecretInfo {
  readonly owner: string;
  readonly name: string;
  readonly version: number;
  readonly updatedAt: Time;
}

/** Secrets, encrypted one by one under keys of their own, which a master key outside the database wraps. */
export interface SecretStore {
  /** `owner` says whose it is, such as `cluster/dev` or `settings`. */
  putSecret(actor: Actor, secret: { owner: string; name: string; value: Uint8Array }): Promise<SecretInfo>;
  getSecret(owner: string, name: string): Promise<Uint8Array | null>;
  deleteSecret(actor: Actor, owner: string, name: string): Promise<boolean>;
  /** Names only; values never leave by this door. */
  listSecrets(owner?: string): Promise<readonly SecretInfo[]>;
  /** Wraps every secret's key anew under the key ring's current master key, while others read on. Answers how many. */
  rewrapSecrets(actor: Actor): Promise<number>;
}
