export interface TarEntry {
  readonly name: string;
  readonly content: string;
}

const BLOCK = 512;

/** A tar archive (ustar) of small text files. Names have at most 100 ASCII characters. */
export function makeTar(entries: readonly TarEntry[], modifiedMs: number): Buffer {
  const parts = entries.flatMap(({ name, content }) => {
    const bytes = Buffer.from(content, "utf8");
    return [makeHeader(name, bytes.length, modifiedMs), bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function makeHeader(name: string, size: number, modifiedMs: number): Buffer {
  if (!/^[\x21-\x7e]{1,100}$/.test(name)) throw new RangeError(`"${name}" cannot be the name of a file in an archive.`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, "0")}\0`;
  header.write(name, 0, "latin1");
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(Math.floor(modifiedMs / 1_000), 12), 136);
  header.write("        0", 148);
  header.write("ustar\u000000", 257);
  // The sum is taken with blanks in its own place.
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
