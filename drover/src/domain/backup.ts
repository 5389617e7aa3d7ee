import type { ClusterSpec } from "@drover/contract";

/** Where the files of one backup lie. */
export type BackupPlace =
  | {
      readonly type: "directory";
      /** On whose file system: of the worker that took it. */
      readonly host: string;
      readonly path: string;
    }
  | {
      readonly type: "s3";
      readonly url: string;
      readonly bucket: string;
      /** Without a slash at its end. */
      readonly prefix: string;
      /** The named secret with the access key; null for a store that lets everybody in. */
      readonly credential: string | null;
    };

export function describePlace(place: BackupPlace): string {
  if (place.type === "directory") return `${place.host}:${place.path}`;
  return `${place.url.replace(/\/+$/, "")}/${place.bucket}/${place.prefix}`;
}

/** What lies beside a snapshot and says what it is. It is written last: what has one is whole. */
export interface BackupManifest {
  readonly format: 1;
  readonly id: string;
  readonly cluster: { readonly id: string; readonly name: string };
  readonly kubernetesVersion: string;
  /** RFC 3339. */
  readonly takenAt: string;
  /** The control plane that it was taken on. */
  readonly node: string;
  readonly etcd: { readonly hash: number; readonly revision: number; readonly keys: number };
  /** How many objects of each resource are in it. */
  readonly objects: Readonly<Record<string, number>>;
  /** The SHA-256 of the certificate of the cluster's authority. */
  readonly authority: string;
  /** Names of what its Secrets may be encrypted with; the keys themselves are among the sealed ones. Left out: with none. */
  readonly encryptedWith?: readonly string[];
  readonly snapshot: BackupFile;
  /** The keys of the cluster's authorities, or the token that opens them, sealed with Drover's master key. */
  readonly keys: BackupFile;
}

export interface BackupFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What became of proving a backup. */
export interface BackupDrill {
  readonly at: number;
  readonly jobId: string;
  readonly passed: boolean;
  readonly message: string;
}

/** Of these, newest first, which are too many. The newest one that was proven stays until a newer one is. */
export function beyondKept<T extends { readonly drill: Pick<BackupDrill, "passed"> | null }>(
  backups: readonly T[],
  keep: number,
): readonly T[] {
  const proven = backups.find(({ drill }) => drill?.passed === true);
  return backups.slice(keep).filter((backup) => backup !== proven);
}

/** In what two counts of objects differ, in words; null when in nothing. */
export function describeDifference(
  wanted: Readonly<Record<string, number>>,
  found: Readonly<Record<string, number>>,
): string | null {
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(found)])].sort();
  const unlike = names.filter((name) => wanted[name] !== found[name]);
  if (unlike.length === 0) return null;
  return unlike.map((name) => `${name}: ${found[name] ?? 0} instead of ${wanted[name] ?? 0}`).join(", ");
}

/** When backups are taken, in cron's five fields. */
export const backupScheduleOf = (spec: ClusterSpec): string | undefined => spec.ssh?.backup?.schedule;
