import type { Role } from "./access-store.ts";
import type { Actor, Time } from "./records.ts";

/** A kubeconfig that was handed out: who has it, never what stands in it. */
export interface KubeconfigRecord {
  readonly id: string;
  readonly clusterId: string;
  readonly role: Role;
  readonly createdBy: string;
  readonly createdAt: Time;
  /** Null for the administrator's, which ends with its certificate. */
  readonly expiresAt: Time | null;
  readonly revokedAt: Time | null;
}

export interface NewKubeconfig {
  readonly clusterId: string;
  readonly clusterName: string;
  readonly role: Role;
  /** Of the token that stands in it; null for the administrator's. */
  readonly tokenHash: string | null;
  readonly lifetimeMs: number | null;
}

/** A kubeconfig that a worker has made. */
export interface MadeKubeconfig {
  readonly id: string;
  readonly role: Role;
  /** When the cluster stops accepting it. */
  readonly expiresAt: Time;
  readonly text: string;
  /** Who asked for it. */
  readonly by: Actor;
}

export interface KubeconfigStore {
  /** Written, with its audit entry, before the kubeconfig is handed out. */
  addKubeconfig(actor: Actor, kubeconfig: NewKubeconfig): Promise<KubeconfigRecord>;
  /** Newest first. */
  listKubeconfigs(clusterId: string): Promise<readonly KubeconfigRecord[]>;
  /** Null when the cluster has none of this id. Repeating it is harmless. */
  revokeKubeconfig(
    actor: Actor,
    kubeconfig: { id: string; clusterId: string; clusterName: string },
  ): Promise<KubeconfigRecord | null>;
}
