import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { DroverError } from "@drover/contract";
import { type BackupFile, type BackupManifest, describePlace } from "../../domain/backup.ts";
import { textAt } from "../../domain/json-fields.ts";
import type { StepContext } from "../../ports/step.ts";
import type { BackupRecord } from "../../ports/store/index.ts";
import type { SshHost } from "./host.ts";

/** The names that the files of a backup have at their destination. */
export const SNAPSHOT_FILE = "snapshot.db";
export const KEYS_FILE = "keys.sealed";
export const MANIFEST_FILE = "manifest.json";

/** Under which the keys of a backup are sealed: those of another do not open in their place. */
export const sealNameOf = (clusterId: string, backup: string): string => `backup ${clusterId} ${backup}`;

export async function describeFile(folder: string, name: string): Promise<BackupFile> {
  const path = join(folder, name);
  return { name, bytes: (await stat(path)).size, sha256: await hashOf(path) };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** The manifest last: a backup that has one is whole. */
export async function sendBackup(
  host: SshHost,
  { signal }: StepContext,
  folder: string,
  place: BackupRecord["place"],
  manifest: BackupManifest,
): Promise<void> {
  const { archive } = host.parts;
  await writeFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  for (const name of [SNAPSHOT_FILE, KEYS_FILE, MANIFEST_FILE]) {
    await archive.put(place, name, join(folder, name), signal);
  }
}

/** The backup that a step is about. */
export async function backupOfStep({ step, backups, cluster }: StepContext): Promise<BackupRecord> {
  const id = textAt(step.input, "backup");
  const backup = (await backups.list()).find((one) => one.id === id);
  if (backup !== undefined) return backup;
  throw new DroverError("backup-not-found", `The cluster "${cluster.name}" has no backup ${id}.`);
}

/** The snapshot and the keys on this host, as they were when they were taken. */
export async function fetchBackup(host: SshHost, context: StepContext, backup: BackupRecord): Promise<string> {
  const folder = await host.parts.archive.openWorkFolder(context.job.id);
  const { snapshot, keys } = backup.manifest;
  await fetchWhole(host, context, backup, folder, snapshot);
  await fetchWhole(host, context, backup, folder, keys);
  return folder;
}

async function fetchWhole(
  host: SshHost,
  { signal }: StepContext,
  { place, id }: BackupRecord,
  folder: string,
  { name, sha256 }: BackupFile,
): Promise<void> {
  const { archive } = host.parts;
  const path = join(folder, name);
  if ((await hashOf(path).catch(() => null)) === sha256) return;
  const where = describePlace(place);
  if (!archive.reaches(place)) {
    const message = `The backup ${id} lies in ${where}, which only a worker on that host can read.`;
    throw new DroverError("backup-store-refused", message);
  }
  if (!(await archive.get(place, name, path, signal))) {
    throw new DroverError("backup-damaged", `${name} of the backup ${id} is missing in ${where}.`);
  }
  if ((await hashOf(path)) === sha256) return;
  throw new DroverError("backup-damaged", `${name} of the backup ${id} in ${where} is not what it was: ${sha256}.`);
}

/** The keys of the authorities as an archive of tar; of k3s the token, which opens those that are in the snapshot. */
export async function openKeys(host: SshHost, folder: string, { clusterId, id }: BackupRecord): Promise<Uint8Array> {
  const sealed = await readFile(join(folder, KEYS_FILE), "utf8");
  return host.parts.archive.open(sealNameOf(clusterId, id), sealed);
}
