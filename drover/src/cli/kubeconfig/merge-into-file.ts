import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { sleep, type Timer } from "../../ports/timer.ts";
import { UsageError } from "../usage-error.ts";
import { assertMergeable, entryName, hasEntry, mergeKubeconfig } from "./merge-kubeconfig.ts";

const LOCK_TRIES = 20;
const LOCK_PAUSE_MS = 100;

/**
 * The file that kubectl would write to: of those that it reads, the one that has the entries already, else the first
 * that exists. Throws when something in it is in the way.
 */
export function chooseFile(files: readonly string[], cluster: string): string {
  const there = files.filter((file) => existsSync(file));
  const name = entryName(cluster);
  const chosen = there.find((file) => about(file, () => hasEntry(read(file), name))) ?? there[0] ?? files[0];
  if (chosen === undefined) throw new UsageError("KUBECONFIG names no file.");
  if (existsSync(chosen)) about(chosen, () => assertMergeable(read(chosen), cluster));
  return chosen;
}

/** Merges a kubeconfig into the file that is to have it. Answers which one that was. */
export async function mergeIntoFile(
  files: readonly string[],
  kubeconfig: { readonly cluster: string; readonly text: string },
  timer: Timer,
): Promise<string> {
  const chosen = chooseFile(files, kubeconfig.cluster);
  // A link stays one: what it leads to is written.
  const file = existsSync(chosen) ? realpathSync(chosen) : chosen;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  await withLock(`${file}.lock`, timer, () => {
    const before = existsSync(file) ? read(file) : "";
    replace(
      file,
      about(chosen, () => mergeKubeconfig(before, kubeconfig.text, kubeconfig.cluster)),
    );
  });
  return chosen;
}

const read = (file: string): string => readFileSync(file, "utf8");

function about<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
}

/** The lock that kubectl and its kin take, too. */
async function withLock(lock: string, timer: Timer, work: () => void): Promise<void> {
  for (let tries = 1; !takeLock(lock); tries += 1) {
    if (tries === LOCK_TRIES) {
      throw new UsageError(`${lock} is there: another program writes the file. If none does, remove ${lock}.`);
    }
    await sleep(timer, LOCK_PAUSE_MS);
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function takeLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Written beside and moved into place: whoever reads finds the old or the new one, and only its owner may. */
function replace(file: string, text: string): void {
  const next = `${file}.${process.pid}`;
  rmSync(next, { force: true });
  const handle = openSync(next, "wx", 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(next, file);
}
