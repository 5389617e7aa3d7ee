import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { Crc32c } from "../../../lib/crc32c.ts";
import { BoltError, readBolt } from "../../../lib/read-bolt.ts";
import type { SnapshotStatus } from "../etcd-on-machine.ts";

/** What is in a snapshot of etcd: how etcd itself describes it, and how many objects of each resource there are. */
export interface SnapshotContent {
  readonly etcd: SnapshotStatus;
  readonly objects: Readonly<Record<string, number>>;
}

/** The file is not what etcd has written. */
export class BadSnapshot extends Error {}

/** etcd writes the SHA-256 of a snapshot behind it. */
const SUM_BYTES = 32;
const PIECE = 1 << 20;
/** The bucket with the history of all keys, by revisions; a deletion has one more letter. */
const HISTORY = "key";
const DELETION_BYTES = 18;

/**
 * Reads a snapshot without any program of etcd: k3s brings none. The status is the one that `etcdutl snapshot status`
 * tells, so that everybody can compare.
 */
export async function readSnapshot(path: string): Promise<SnapshotContent> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size <= SUM_BYTES) throw new BadSnapshot("it is empty");
    await checkSum(file, size - SUM_BYTES);
    return await readContent(file, size - SUM_BYTES);
  } catch (error) {
    if (error instanceof BoltError) throw new BadSnapshot(error.message, { cause: error });
    throw error;
  } finally {
    await file.close();
  }
}

async function checkSum(file: FileHandle, bytes: number): Promise<void> {
  const hash = createHash("sha256");
  const piece = Buffer.alloc(PIECE);
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await file.read(piece, 0, Math.min(PIECE, bytes - at), at);
    if (bytesRead === 0) throw new BadSnapshot("it is cut off");
    hash.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
  const sum = Buffer.alloc(SUM_BYTES);
  await file.read(sum, 0, SUM_BYTES, bytes);
  if (!hash.digest().equals(sum)) throw new BadSnapshot("the checksum that etcd wrote behind it does not fit");
}

async function readContent(file: FileHandle, bytes: number): Promise<SnapshotContent> {
  const crc = new Crc32c();
  const living = new Set<string>();
  let revision = 0;
  for await (const { name: bucket, entries } of readBolt(file, bytes)) {
    crc.add(Buffer.from(bucket));
    for await (const { key, value } of entries) {
      crc.add(key);
      crc.add(value);
      if (bucket !== HISTORY) continue;
      revision = Number(key.readBigUInt64BE(0));
      if (key.length === DELETION_BYTES) living.delete(nameIn(value));
      else living.add(nameIn(value));
    }
  }
  return { etcd: { hash: crc.value, revision, keys: living.size }, objects: countByResource(living) };
}

/** The first field of an entry, as protocol buffers write it: its kind, its length, its bytes. */
function nameIn(value: Buffer): string {
  if (value[0] !== 0x0a) throw new BadSnapshot("an entry has no name");
  let [at, length, shift] = [1, 0, 0];
  for (let more = true; more; at += 1, shift += 7) {
    const byte = value[at] ?? 0;
    length += (byte & 0x7f) * 2 ** shift;
    more = (byte & 0x80) !== 0;
  }
  return value.toString("utf8", at, at + length);
}

/** `/registry/<resource>/…`, or `/registry/<group>/<resource>/…`. */
function countByResource(names: ReadonlySet<string>): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) {
    const [, root, first, second] = name.split("/");
    if (root !== "registry" || first === undefined || second === undefined) continue;
    const resource = first.includes(".") ? `${second}.${first}` : first;
    counts.set(resource, (counts.get(resource) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}
