const BLOCK = 512;
const REGULAR = new Set(["0", "\0"]);

/** The content of the first regular file of a tar archive; null when there is none. */
export function readFirstFile(archive: Buffer): Buffer | null {
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return null;
    const size = readSize(header);
    const start = at + BLOCK;
    if (REGULAR.has(String.fromCharCode(header[156] ?? 0))) {
      return start + size <= archive.length ? archive.subarray(start, start + size) : null;
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return null;
}

/** The names of the regular files of a tar archive. */
export const listTar = (archive: Uint8Array): readonly string[] => filesOf(archive).map(({ name }) => name);

/** The file of this name, as `listTar` has it; null when there is none. */
export const readTarFile = (archive: Uint8Array, wanted: string): Buffer | null =>
  filesOf(archive).find(({ name }) => name === wanted)?.content ?? null;

function filesOf(archive: Uint8Array): readonly { readonly name: string; readonly content: Buffer }[] {
  const bytes = Buffer.from(archive);
  const files: { readonly name: string; readonly content: Buffer }[] = [];
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const size = readSize(header);
    if (at + BLOCK + size > bytes.length) throw new RangeError("The archive is cut off.");
    const name = header.toString("utf8", 0, 100);
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    if (REGULAR.has(String.fromCharCode(header[156] ?? 0))) files.push({ name: `/${name.split("\0")[0]}`, content });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/** In octal digits; sizes beyond eight gigabytes are written otherwise, and are no files of ours. */
function readSize(header: Buffer): number {
  const digits = header.toString("latin1", 124, 136).replaceAll("\0", " ").trim();
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || "0", 8) : Number.POSITIVE_INFINITY;
}
