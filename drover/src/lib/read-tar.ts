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

/** In octal digits; sizes beyond eight gigabytes are written otherwise, and are no files of ours. */
function readSize(header: Buffer): number {
  const digits = header.toString("latin1", 124, 136).replaceAll("\0", " ").trim();
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || "0", 8) : Number.POSITIVE_INFINITY;
}
