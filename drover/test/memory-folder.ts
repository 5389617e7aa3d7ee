import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";

/** A place in memory with that much room, where the system has one: tests make and drop many databases. */
export function findMemoryFolder(bytes: number): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > bytes ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
