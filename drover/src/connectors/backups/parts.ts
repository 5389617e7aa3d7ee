import type { BackupArchive } from "../../ports/backup-archive.ts";
import type { Clock } from "../../ports/clock.ts";

export interface ArchiveParts {
  /** Where backups go whose spec names no destination, and where files are on their way. */
  readonly folder: string;
  /** The host of this worker: its folders are to be had here alone. */
  readonly host: string;
  readonly clock: Clock;
  readonly readSecret: (owner: string, name: string) => Promise<Uint8Array | null>;
  readonly seal: BackupArchive["seal"];
  readonly open: BackupArchive["open"];
}

/** Files of one backup, wherever they lie. */
export interface BackupFiles {
  put(name: string, from: string, signal: AbortSignal): Promise<void>;
  get(name: string, to: string, signal: AbortSignal): Promise<boolean>;
  remove(signal: AbortSignal): Promise<void>;
}
