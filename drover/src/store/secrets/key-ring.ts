import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { DroverError } from "@drover/contract";

export interface MasterKey {
  /** Says which key it is without telling anything about it. */
  readonly id: string;
  readonly key: Buffer;
}

/** The master keys that this process knows. New secrets are wrapped under the current one; older ones only unwrap. */
export interface KeyRing {
  readonly current: MasterKey;
  readonly older: readonly MasterKey[];
}

const KEY_BYTES = 32;

export function masterKey(key: Buffer): MasterKey {
  if (key.length !== KEY_BYTES) {
    throw new DroverError("master-key-unusable", `A master key has ${KEY_BYTES} bytes; this one has ${key.length}.`);
  }
  const id = createHash("sha256").update("drover master key").update(key).digest("hex").slice(0, 16);
  return { id, key };
}

/** Reads a key file; makes a new key when there is none and the store is new. */
export function loadMasterKey(file: string, options: { create: boolean }): MasterKey {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (missing && options.create) return createMasterKey(file);
    throw new DroverError(
      "master-key-unusable",
      missing ? `The master key file ${file} is missing.` : `The master key file ${file} cannot be read.`,
      { cause: error },
    );
  }
  if (!/^[0-9a-f]{64}\s*$/i.test(text)) {
    throw new DroverError("master-key-unusable", `The master key file ${file} does not hold 64 hexadecimal digits.`);
  }
  return masterKey(Buffer.from(text.trim(), "hex"));
}

/** A name that is lost with the power takes everything with it that was encrypted meanwhile. */
function flushFolder(folder: string): void {
  const handle = openSync(folder, "r");
  fsyncSync(handle);
  closeSync(handle);
}

/** Whole and on disk before it has its name; of two processes that start at once, one wins and both use its key. */
function createMasterKey(file: string): MasterKey {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const handle = openSync(draft, "wx", 0o600);
  try {
    writeSync(handle, `${randomBytes(KEY_BYTES).toString("hex")}\n`);
    fsyncSync(handle);
    chmodSync(draft, 0o600);
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    closeSync(handle);
    unlinkSync(draft);
  }
  flushFolder(dirname(file));
  return loadMasterKey(file, { create: false });
}
