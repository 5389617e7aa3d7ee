import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of a few megabytes. */
export interface SmallDisk {
  readonly directory: string;
  /** Leaves no more than this many bytes free. */
  fill(leave?: number): void;
  empty(): void;
  remove(): void;
}

const BLOCK = Buffer.alloc(256 * 1024);

/** The disk, or the reason why there cannot be one here. */
export function mountSmallDisk(megabytes: number): SmallDisk | string {
  if (process.platform !== "linux") return `tmpfs is mounted on Linux only; this is ${process.platform}`;
  const directory = mkdtempSync(join(tmpdir(), "drover-e2e-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0700`, "tmpfs", directory]);
  if (mounted.status !== 0) {
    rmSync(directory, { recursive: true });
    return `mounting a tmpfs is not permitted here: ${(mounted.error?.message ?? String(mounted.stderr)).trim()}`;
  }
  const filler = join(directory, "filler");
  return {
    directory,
    fill: (leave = 0) => {
      const size = writeUntilFull(filler);
      truncateSync(filler, Math.max(0, size - leave));
    },
    empty: () => rmSync(filler, { force: true }),
    remove: () => {
      // Lazily: where the driver lets go of closed files late, the disk goes away with the last of them.
      const unmounted = spawnSync("umount", ["-l", directory]);
      if (unmounted.status !== 0) throw new Error(`${directory} cannot be unmounted: ${String(unmounted.stderr)}`);
      rmSync(directory, { recursive: true });
    },
  };
}

/** Answers the size of the file when nothing more fitted. */
function writeUntilFull(file: string): number {
  const handle = openSync(file, "w");
  let size = 0;
  try {
    for (;;) size += writeSync(handle, BLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    return size;
  } finally {
    closeSync(handle);
  }
}
