import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BackupPlace } from "../../domain/backup.ts";
import type { BackupArchive } from "../../ports/backup-archive.ts";
import { DirectoryFiles } from "./directory-files.ts";
import type { ArchiveParts, BackupFiles } from "./parts.ts";
import { S3Files } from "./s3-files.ts";

const INCOMING = ".incoming";
/** No job is at a file for that long: whoever left it is not coming back. */
const FORGOTTEN_MS = 7 * 86_400_000;

export function makeBackupArchive(parts: ArchiveParts): BackupArchive {
  const { folder, host, clock, readSecret } = parts;
  const filesAt = (place: BackupPlace): BackupFiles =>
    place.type === "directory" ? new DirectoryFiles(place.path) : new S3Files(place, { clock, readSecret });
  return {
    placeFor: (destination, cluster, backup) => {
      if (destination?.type === "s3") {
        const { url = "", bucket = "", prefix, credential } = destination;
        const key = [prefix, cluster, backup].filter((part) => part !== undefined && part !== "").join("/");
        return { type: "s3", url, bucket, prefix: key, credential: credential?.name ?? null };
      }
      return { type: "directory", host, path: join(destination?.path ?? folder, cluster, backup) };
    },
    reaches: (place) => place.type === "s3" || place.host === host,
    put: (place, name, from, signal) => filesAt(place).put(name, from, signal),
    get: (place, name, to, signal) => filesAt(place).get(name, to, signal),
    remove: (place, signal) => filesAt(place).remove(signal),
    openWorkFolder: async (jobId) => {
      await clearForgotten(join(folder, INCOMING), clock.now());
      const own = join(folder, INCOMING, jobId);
      await mkdir(own, { recursive: true, mode: 0o700 });
      return own;
    },
    clearWorkFolder: (jobId) => rm(join(folder, INCOMING, jobId), { recursive: true, force: true }),
    seal: parts.seal,
    open: parts.open,
  };
}

async function clearForgotten(incoming: string, now: number): Promise<void> {
  for (const name of await readdir(incoming).catch(() => [])) {
    const path = join(incoming, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && now - found.mtimeMs > FORGOTTEN_MS) await rm(path, { recursive: true, force: true });
  }
}
