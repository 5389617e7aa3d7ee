import { writeSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { FileError, isFileError } from "../../lib/file-error.ts";
import { quoteArgument } from "../../lib/quote-command.ts";
import type { SendFileOptions } from "../../ports/send-file.ts";
import { startWith } from "./command-script.ts";
import { attempt, cutOff, type FileTransfer, PRIVATE, placeFile, REQUIRE_FILE } from "./files.ts";
import { hashFile } from "./send-file.ts";

const TRIES = 4;

/** Fetches a file, going on from what is here of it; see `SendsFiles`. */
export async function fetchFile(
  files: FileTransfer,
  from: string,
  to: string,
  options: SendFileOptions,
): Promise<void> {
  const { size, sha256 } = await lookAt(files, from, options);
  const part = `${to}.${sha256.slice(0, 24)}.part`;
  if (options.sha256 !== undefined && options.sha256 !== sha256) {
    throw new FileError(
      "failed",
      files.host,
      from,
      `${from} on ${files.host} has another SHA-256 than it should have.`,
    );
  }
  for (let tries = 1; ; tries++) {
    try {
      await fetchRest(files, { from, part, size, options });
      break;
    } catch (error) {
      if (tries === TRIES || options.signal?.aborted || !isFileError(error, "unreachable")) throw error;
    }
  }
  if ((await hashFile(part)) !== sha256) {
    await rm(part, { force: true });
    throw new FileError("failed", files.host, from, `${from} on ${files.host} arrived damaged. Try again.`);
  }
  await makeDurable(part, options.mode ?? PRIVATE);
  await rename(part, to);
  await syncFolder(dirname(to));
}

async function lookAt(files: FileTransfer, path: string, { signal }: SendFileOptions) {
  const script = startWith(`${placeFile(path, "", PRIVATE)[0]}
${REQUIRE_FILE}
stat -L -c %s -- "$name" && sha256sum <"$name"
exit`);
  const request = { script, ...(signal ? { signals: [signal] } : {}) };
  const { stdout } = await attempt(files, path, "read", () => files.obey(request));
  const [size, sum] = stdout.split("\n");
  return { size: Number(size), sha256: (sum ?? "").split(" ")[0] ?? "" };
}

interface Fetching {
  readonly from: string;
  readonly part: string;
  readonly size: number;
  readonly options: SendFileOptions;
}

async function fetchRest(files: FileTransfer, { from, part, size, options }: Fetching): Promise<void> {
  const file = await open(part, "a", PRIVATE);
  try {
    const start = (await file.stat()).size;
    if (start >= size) return;
    let arrived = start;
    // At once, so that what comes quicker than the disk takes it does not pile up here.
    const onBytes = (chunk: Buffer) => {
      writeSync(file.fd, chunk);
      arrived += chunk.length;
      options.onProgress?.(arrived, size);
    };
    const script = startWith(`exec tail -c +${start + 1} -- ${quoteArgument(from)}`);
    const request = { script, onBytes, ...(options.signal ? { signals: [options.signal] } : {}) };
    await attempt(files, from, "read", () => files.obey(request));
    if (arrived < size) throw cutOff(files, from, "read");
  } finally {
    await file.close();
  }
}

async function makeDurable(path: string, mode: number): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
