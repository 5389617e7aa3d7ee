import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { tarEntries } from "../../lib/tar-entries.ts";
import type { ContentCache } from "./content-cache.ts";

/** What lies in an archive: SHA-256 by path. */
export type ArchiveIndex = ReadonlyMap<string, string>;

const MOST_MEMBERS = 100_000;

/** Every file of an archive into the cache; the index, which says that all of them are there, last. */
export async function unpackArchive(
  archive: string,
  cache: ContentCache,
  indexName: string,
  signal: AbortSignal,
): Promise<ArchiveIndex> {
  const index = new Map<string, string>();
  for await (const { name, kind, target, content } of tarEntries(await readArchive(archive, signal))) {
    const linked = kind === "link" ? index.get(target) : undefined;
    if (linked !== undefined) index.set(name, linked);
    if (kind === "file") index.set(name, await keepContent(content, cache));
    if (index.size > MOST_MEMBERS) throw new RangeError(`It has more than ${MOST_MEMBERS} files.`);
  }
  const partial = await cache.openPartial(indexName);
  try {
    await writeFile(partial, JSON.stringify(Object.fromEntries(index)));
    await cache.keep(partial, indexName);
  } finally {
    cache.closePartial(partial);
  }
  return index;
}

async function keepContent(content: AsyncIterable<Buffer>, cache: ContentCache): Promise<string> {
  const partial = await cache.openPartial("member");
  try {
    const hash = createHash("sha256");
    const file = await open(partial, "w", 0o600);
    try {
      for await (const chunk of content) {
        hash.update(chunk);
        await file.write(chunk);
      }
    } finally {
      await file.close();
    }
    const sha256 = hash.digest("hex");
    await cache.keep(partial, sha256);
    return sha256;
  } finally {
    cache.closePartial(partial);
  }
}

/** By how it begins, as addresses of objects need not have an ending. */
async function readArchive(path: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
  const file = await open(path, "r");
  const begin = Buffer.alloc(4);
  try {
    await file.read(begin, 0, begin.length, 0);
  } finally {
    await file.close();
  }
  const stream = createReadStream(path, { highWaterMark: 1 << 20, signal });
  if (begin.readUInt16BE(0) !== 0x1f8b) return stream as AsyncIterable<Buffer>;
  const unzipped = createGunzip({ chunkSize: 1 << 18 });
  stream.on("error", (error) => unzipped.destroy(error));
  return stream.pipe(unzipped) as Readable as AsyncIterable<Buffer>;
}
