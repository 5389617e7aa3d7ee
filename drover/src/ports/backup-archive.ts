import type { SshSpec } from "@drover/contract";
import type { BackupPlace } from "../domain/backup.ts";

export type BackupDestination = NonNullable<SshSpec["backup"]>["destination"];

/**
 * Where the files of backups are kept: a folder beside the worker, or a store elsewhere. Everything rejects with
 * `backup-store-refused` when the place does not do its part.
 */
export interface BackupArchive {
  /** Where a new backup goes; left out, the destination is a folder of Drover's own. */
  placeFor(destination: BackupDestination | undefined, cluster: string, backup: string): BackupPlace;
  /** Whether this process can get at it: a folder is only to be had on its own host. */
  reaches(place: BackupPlace): boolean;
  /** A reader finds the whole file or none. */
  put(place: BackupPlace, name: string, from: string, signal: AbortSignal): Promise<void>;
  /** False when it is not there. */
  get(place: BackupPlace, name: string, to: string, signal: AbortSignal): Promise<boolean>;
  /** Everything of one backup. Repeating it is harmless. */
  remove(place: BackupPlace, signal: AbortSignal): Promise<void>;
  /** A folder for files on their way, for this job alone; there from now on. */
  openWorkFolder(jobId: string): Promise<string>;
  clearWorkFolder(jobId: string): Promise<void>;
  /** Only who has Drover's master key can open what was sealed, and only under the same name. */
  seal(name: string, plain: Uint8Array): string;
  /** Throws `secret-unreadable` or `master-key-wrong`. */
  open(name: string, sealed: string): Uint8Array;
}

const nowhere = () => {
  throw new Error("This process keeps no backups; workers do.");
};

/** For processes that do nothing on any host. */
export const NO_ARCHIVE: BackupArchive = {
  placeFor: nowhere,
  reaches: () => false,
  put: nowhere,
  get: nowhere,
  remove: nowhere,
  openWorkFolder: nowhere,
  clearWorkFolder: nowhere,
  seal: nowhere,
  open: nowhere,
};
