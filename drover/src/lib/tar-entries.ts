export interface TarMember {
  /** Without `./` before it. */
  readonly name: string;
  readonly kind: "file" | "link" | "other";
  /** What a link stands for: another member that came before it. */
  readonly target: string;
  /** To be read before the next member is asked for, or not at all. */
  readonly content: AsyncIterable<Buffer>;
}

const BLOCK = 512;
/** Names and notes about a member; nobody needs more. */
const LONGEST_NOTE = 64 * 1024;

/** The members of a tar archive as they come along, however large: ustar, with the long names of GNU and of pax. */
export async function* tarEntries(archive: AsyncIterable<Buffer>): AsyncGenerator<TarMember> {
  const bytes = new ByteReader(archive);
  let notes: Notes = {};
  for (;;) {
    const header = await bytes.take(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    checkHeader(header);
    const type = String.fromCharCode(header[156] ?? 0);
    const size = notes.size ?? readSize(header);
    if ("LKxg".includes(type)) {
      const text = await readNote(bytes, readSize(header));
      if (type === "L") notes = { ...notes, path: beforeNul(text) };
      if (type === "K") notes = { ...notes, linkpath: beforeNul(text) };
      if (type === "x") notes = { ...notes, ...readPax(text) };
      continue;
    }
    let left = size;
    yield {
      name: tidy(notes.path ?? nameIn(header)),
      kind: type === "0" || type === "\0" ? "file" : type === "1" ? "link" : "other",
      target: tidy(notes.linkpath ?? textIn(header, 157, 100)),
      content: (async function* () {
        while (left > 0) {
          const chunk = await bytes.takeSome(left);
          left -= chunk.length;
          yield chunk;
        }
      })(),
    };
    while (left > 0) left -= (await bytes.takeSome(left)).length;
    await bytes.skip((BLOCK - (size % BLOCK)) % BLOCK);
    notes = {};
  }
}

interface Notes {
  readonly path?: string;
  readonly linkpath?: string;
  readonly size?: number;
}

const tidy = (name: string): string => name.replace(/^(?:\.?\/)+/, "");

const textIn = (header: Buffer, at: number, length: number): string =>
  beforeNul(header.toString("utf8", at, at + length));

const beforeNul = (text: string): string => text.split("\0", 1)[0] ?? "";

function nameIn(header: Buffer): string {
  const prefix = textIn(header, 257, 6) === "ustar" ? textIn(header, 345, 155) : "";
  return prefix === "" ? textIn(header, 0, 100) : `${prefix}/${textIn(header, 0, 100)}`;
}

async function readNote(bytes: ByteReader, size: number): Promise<string> {
  if (size > LONGEST_NOTE) throw new RangeError("A name in the archive is too long.");
  const note = await bytes.take(size);
  if (note.length < size) throw new RangeError("The archive is cut off.");
  await bytes.skip((BLOCK - (size % BLOCK)) % BLOCK);
  return note.toString("utf8");
}

/** Lines such as `21 path=some/name`. */
function readPax(text: string): Notes {
  const fields = new Map(
    text.split("\n").flatMap((line) => {
      const parts = /^\d+ ([^=]+)=(.*)$/.exec(line);
      return parts === null ? [] : [[parts[1] as string, parts[2] as string] as const];
    }),
  );
  const [path, linkpath, size] = [fields.get("path"), fields.get("linkpath"), fields.get("size")];
  return {
    ...(path === undefined ? {} : { path }),
    ...(linkpath === undefined ? {} : { linkpath }),
    ...(size === undefined || !/^\d{1,15}$/.test(size) ? {} : { size: Number(size) }),
  };
}

function checkHeader(header: Buffer): void {
  if (header.length < BLOCK) throw new RangeError("The archive is cut off.");
  // The sum is taken with blanks in its own place.
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (Number.parseInt(textIn(header, 148, 8).trim(), 8) !== sum) throw new RangeError("This is no tar archive.");
}

/** In octal digits, or, beyond eight gigabytes, as a number with its first bit set. */
function readSize(header: Buffer): number {
  const field = header.subarray(124, 136);
  if (((field[0] ?? 0) & 0x80) !== 0) return Number(field.readBigUInt64BE(4));
  const digits = field.toString("latin1").replaceAll("\0", " ").trim();
  if (/^[0-7]*$/.test(digits)) return Number.parseInt(digits || "0", 8);
  throw new RangeError("This is no tar archive.");
}

class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** That many, or fewer at the end. */
  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let length = 0;
    while (length < count && (await this.#fill())) {
      const part = this.#cut(count - length);
      parts.push(part);
      length += part.length;
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  /** At least one, at most that many. */
  async takeSome(most: number): Promise<Buffer> {
    if (!(await this.#fill())) throw new RangeError("The archive is cut off.");
    return this.#cut(most);
  }

  async skip(count: number): Promise<void> {
    if ((await this.take(count)).length < count) throw new RangeError("The archive is cut off.");
  }

  #cut(most: number): Buffer {
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next();
      if (done === true) return false;
      this.#rest = value;
    }
    return true;
  }
}
