import type { FileHandle } from "node:fs/promises";

export interface BoltEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

export interface BoltBucket {
  readonly name: string;
  /** By their keys. They are read before the next bucket is asked for, or not at all. */
  readonly entries: AsyncIterable<BoltEntry>;
}

/** What a file of bbolt, the store below etcd, cannot be read for. */
export class BoltError extends Error {}

const MAGIC = 0xed0cdaed;
const HEADER = 16;
const [IS_BRANCH, IS_LEAF] = [0x01, 0x02];
const IS_BUCKET = 0x01;
const ELEMENT = 16;
/** The most pages that one entry may take: more is no database, but a wrong number. */
const MOST_OVERFLOW = 1 << 20;
/** No tree of a database that fits on a disk is deeper. */
const DEEPEST = 64;

interface Meta {
  readonly pageSize: number;
  readonly root: number;
  readonly transaction: bigint;
}

/** All buckets, by their names. The file is read page by page. */
export async function* readBolt(file: FileHandle, bytes: number): AsyncGenerator<BoltBucket> {
  const { pageSize, root } = await readMeta(file, bytes);
  const pages = new Pages(file, bytes, pageSize);
  for await (const { key, value, flags } of pages.walk(root, 0)) {
    if ((flags & IS_BUCKET) === 0 || value.length < HEADER) throw new BoltError("It has entries outside of buckets.");
    const at = Number(value.readBigUInt64LE(0));
    // A small bucket lies in its own entry.
    const entries = at === 0 ? pages.walkPage(value.subarray(HEADER), 0) : pages.walk(at, 0);
    yield { name: key.toString(), entries };
  }
}

/** Two pages take turns: the one of the later transaction counts. */
async function readMeta(file: FileHandle, bytes: number): Promise<Meta> {
  const first = await readMetaAt(file, bytes, 0);
  const sizes = first === null ? [4096, 8192, 16_384, 65_536] : [first.pageSize];
  let latest = first;
  for (const size of sizes) {
    const second = await readMetaAt(file, bytes, size);
    if (second !== null && (latest === null || second.transaction > latest.transaction)) latest = second;
  }
  if (latest === null) throw new BoltError("It is no database of etcd.");
  return latest;
}

async function readMetaAt(file: FileHandle, bytes: number, at: number): Promise<Meta | null> {
  if (at + 80 > bytes) return null;
  const page = await readBytes(file, at, 80);
  if (page.readUInt32LE(HEADER) !== MAGIC) return null;
  const pageSize = page.readUInt32LE(HEADER + 8);
  const isSensible = pageSize >= 512 && pageSize <= 1 << 20 && (pageSize & (pageSize - 1)) === 0;
  if (!isSensible) return null;
  if (checksumOf(page.subarray(HEADER, HEADER + 56)) !== page.readBigUInt64LE(HEADER + 56)) return null;
  return { pageSize, root: Number(page.readBigUInt64LE(HEADER + 16)), transaction: page.readBigUInt64LE(HEADER + 48) };
}

/** FNV-1a in 64 bits. */
export function checksumOf(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

interface Element extends BoltEntry {
  readonly flags: number;
}

class Pages {
  readonly #file: FileHandle;
  readonly #bytes: number;
  readonly #size: number;

  constructor(file: FileHandle, bytes: number, size: number) {
    this.#file = file;
    this.#bytes = bytes;
    this.#size = size;
  }

  async *walk(id: number, depth: number): AsyncGenerator<Element> {
    if (depth > DEEPEST) throw new BoltError("Its pages lead in a circle.");
    yield* this.walkPage(await this.#read(id), depth);
  }

  async *walkPage(page: Buffer, depth: number): AsyncGenerator<Element> {
    const [kind, count] = [page.readUInt16LE(8), page.readUInt16LE(10)];
    if (kind !== IS_BRANCH && kind !== IS_LEAF) throw new BoltError("A page of it is of no known kind.");
    for (let index = 0; index < count; index += 1) {
      const at = HEADER + index * ELEMENT;
      if (at + ELEMENT > page.length) throw new BoltError("A page of it is cut off.");
      if (kind === IS_BRANCH) {
        yield* this.walk(Number(page.readBigUInt64LE(at + 8)), depth + 1);
        continue;
      }
      const key = at + page.readUInt32LE(at + 4);
      const value = key + page.readUInt32LE(at + 8);
      const end = value + page.readUInt32LE(at + 12);
      if (end > page.length) throw new BoltError("A page of it is cut off.");
      yield { flags: page.readUInt32LE(at), key: page.subarray(key, value), value: page.subarray(value, end) };
    }
  }

  async #read(id: number): Promise<Buffer> {
    const at = id * this.#size;
    if (at + this.#size > this.#bytes) throw new BoltError("A page of it is missing.");
    const page = await readBytes(this.#file, at, this.#size);
    const overflow = page.readUInt32LE(12);
    if (overflow === 0) return page;
    const length = (overflow + 1) * this.#size;
    if (overflow > MOST_OVERFLOW || at + length > this.#bytes) throw new BoltError("A page of it is missing.");
    return await readBytes(this.#file, at, length);
  }
}

async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, at);
  if (bytesRead < length) throw new BoltError("It is cut off.");
  return buffer;
}
