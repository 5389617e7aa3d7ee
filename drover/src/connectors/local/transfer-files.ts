import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const PRIVATE = 0o600;

/**
 * Writes a file beside its name, makes it durable, and renames it: whenever this is cut off, the name stands for all
 * of the old content or all of the new. Renaming replaces a symbolic link; opening would have followed it.
 */
export async function writeFileSafely(path: string, content: Uint8Array, mode = PRIVATE): Promise<void> {
  if (basename(path) === "" || path.endsWith("/")) throw new TypeError("A file needs a name.");
  const folder = dirname(path);
  const temporary = join(folder, `.drover-${randomBytes(8).toString("hex")}.tmp`);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE);
  try {
    await writeAndSync(file, content, mode);
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await syncFolder(folder);
}

async function writeAndSync(file: FileHandle, content: Uint8Array, mode: number): Promise<void> {
  try {
    await file.writeFile(content);
    // The mode given to open is cut down by the umask.
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is durable only once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads a regular file. Anything else could have no end, or no beginning: opening a pipe waits for a writer. */
export async function readFileSafely(path: string, limitBytes: number): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new TypeError("It is not a regular file.");
    if (found.size > limitBytes) throw new RangeError(`It has ${found.size} bytes; ${limitBytes} may be read at once.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
