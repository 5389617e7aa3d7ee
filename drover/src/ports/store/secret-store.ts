import type { Actor, Json, Time } from "./records.ts";

export interface SecretInfo {
  readonly owner: string;
  readonly name: string;
  readonly version: number;
  readonly updatedAt: Time;
  /** What may be seen of it, as it was given with the value. */
  readonly note: Json;
}

export interface NewSecret {
  readonly owner: string;
  readonly name: string;
  readonly value: Uint8Array;
  readonly note?: Json;
  /** Left out when either will do; otherwise `secret-exists` or `secret-not-found` when it is not so. */
  readonly must?: "be-new" | "exist";
}

/** Secrets, encrypted one by one under keys of their own, which a master key outside the database wraps. */
export interface SecretStore {
  /** `owner` says whose it is, such as `cluster/dev` or `settings`. */
  putSecret(actor: Actor, secret: NewSecret): Promise<SecretInfo>;
  /** The same for what belongs to a cluster. False when the cluster is gone: its secrets went with it, and none comes after. */
  putClusterSecret(actor: Actor, secret: { clusterId: string; name: string; value: Uint8Array }): Promise<boolean>;
  /** Those of the clusters that have no secret of this name. */
  findClustersWithout(name: string, clusterIds: readonly string[]): Promise<readonly string[]>;
  getSecret(owner: string, name: string): Promise<Uint8Array | null>;
  deleteSecret(actor: Actor, owner: string, name: string): Promise<boolean>;
  /** Names only; values never leave by this door. */
  listSecrets(owner?: string): Promise<readonly SecretInfo[]>;
  /** Wraps every secret's key anew under the key ring's current master key, while others read on. Answers how many. */
  rewrapSecrets(actor: Actor): Promise<number>;
  /** For a secret that is kept outside the store: only the master key of now opens it, and only under this name. */
  seal(name: string, plain: Uint8Array): string;
  /** Throws `secret-unreadable` for what was changed, `master-key-wrong` for what another key has sealed. */
  open(name: string, sealed: string): Uint8Array;
}

/** Whose the secrets are that specs name: their values are the entries, as JSON. */
export const NAMED_SECRETS = "named";

/** The name of the secret that holds the administrator's kubeconfig of a cluster. */
export const KUBECONFIG_SECRET = "kubeconfig";

/** The name of the secret that holds the keys with which a cluster encrypts its Secrets. */
export const ENCRYPTION_KEYS_SECRET = "encryption-keys";

/** The name of the secret in which the text of a kubeconfig waits for whoever asked for it. */
export const waitingKubeconfig = (id: string): string => `${WAITING_KUBECONFIGS}${id}`;
export const WAITING_KUBECONFIGS = "waiting-kubeconfig-";

/** Whose the secrets of a cluster are: they go away with it. */
export const clusterSecretOwner = (clusterId: string): string => `cluster/${clusterId}`;
