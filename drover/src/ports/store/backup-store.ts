import type { BackupDrill, BackupManifest, BackupPlace } from "../../domain/backup.ts";
import type { Time } from "./records.ts";

/** A backup of a cluster's database. What is listed was whole when it was taken. */
export interface BackupRecord {
  /** That of the job that took it. */
  readonly id: string;
  readonly clusterId: string;
  readonly createdAt: Time;
  readonly place: BackupPlace;
  readonly manifest: BackupManifest;
  /** The last time that it was proven; null before. */
  readonly drill: BackupDrill | null;
}

export type MadeBackup = Pick<BackupRecord, "id" | "place" | "manifest">;

export interface BackupStore {
  /** Newest first. */
  listBackups(clusterId: string): Promise<readonly BackupRecord[]>;
  getBackup(clusterId: string, id: string): Promise<BackupRecord | null>;
}
