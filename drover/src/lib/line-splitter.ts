const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const FIRST_ROOM = 256;
/** The longest UTF-8 character. */
const LONGEST_CHARACTER = 4;

export const PIECE_BYTES = 16 * 1024;

/** `partial`: the line goes on in the next call. */
export type LineListener = (line: string, partial: boolean) => void;

/**
 * Cuts a stream of bytes into lines of text. A line ends with LF, CR LF or CR alone, which is how progress bars write
 * over themselves; CR with nothing before it ends no line. Each line comes as soon as its end was seen, and at most
 * one piece of a line is held: longer lines come in pieces of at most `pieceBytes`, never cut inside a character.
 *
 * Bytes are searched and whole pieces decoded, as neither LF nor CR can be part of a longer UTF-8 character.
 */
export class LineSplitter {
  readonly #listen: LineListener;
  readonly #pieceBytes: number;
  #held: Buffer = Buffer.alloc(0);
  #heldBytes = 0;
  /** A line is under way of which pieces have gone out. */
  #inPieces = false;
  /** The last byte was CR: an LF now belongs to it. `blank`: nothing stood before it, so no line has gone out. */
  #afterReturn: "no" | "line" | "blank" = "no";

  constructor(listen: LineListener, pieceBytes = PIECE_BYTES) {
    this.#listen = listen;
    this.#pieceBytes = Math.max(pieceBytes, LONGEST_CHARACTER);
  }

  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    let lineFeed = find(chunk, LINE_FEED, 0);
    let carriageReturn = find(chunk, RETURN, 0);
    while (start < chunk.length) {
      const end = Math.min(lineFeed, carriageReturn, chunk.length);
      if (end > start) this.#afterReturn = "no";
      if (end === chunk.length) this.#hold(chunk, start, end);
      else if (end === lineFeed) {
        this.#endAtLineFeed(chunk, start, end);
        lineFeed = find(chunk, LINE_FEED, end + 1);
      } else {
        this.#endAtReturn(chunk, start, end);
        carriageReturn = find(chunk, RETURN, end + 1);
      }
      start = end + 1;
    }
  }

  /** Hands out what came after the last line end. */
  end(): void {
    if (this.#heldBytes > 0 || this.#inPieces) this.#endLine(Buffer.alloc(0), 0, 0);
    this.#afterReturn = "no";
  }

  #endAtLineFeed(chunk: Buffer, start: number, end: number): void {
    const wasOut = this.#afterReturn === "line";
    this.#afterReturn = "no";
    if (!wasOut) this.#endLine(chunk, start, end);
  }

  #endAtReturn(chunk: Buffer, start: number, end: number): void {
    const blank = end === start && this.#heldBytes === 0 && !this.#inPieces;
    this.#afterReturn = blank ? "blank" : "line";
    if (!blank) this.#endLine(chunk, start, end);
  }

  #endLine(chunk: Buffer, start: number, end: number): void {
    const fits = this.#heldBytes === 0 && end - start <= this.#pieceBytes;
    if (!fits) this.#hold(chunk, start, end);
    const line = fits ? chunk.toString("utf8", start, end) : this.#held.toString("utf8", 0, this.#heldBytes);
    this.#heldBytes = 0;
    this.#inPieces = false;
    this.#listen(line, false);
  }

  /** A full piece goes out only when more of its line comes, so that a line never ends with an empty piece. */
  #hold(chunk: Buffer, start: number, end: number): void {
    let from = start;
    while (this.#heldBytes + end - from > this.#pieceBytes) {
      const to = from + this.#pieceBytes - this.#heldBytes;
      this.#copy(chunk, from, to);
      this.#handOutPiece(chunk[to] ?? 0);
      from = to;
    }
    this.#copy(chunk, from, end);
  }

  #handOutPiece(next: number): void {
    const cut = findCut(this.#held, this.#heldBytes, next);
    const piece = this.#held.toString("utf8", 0, cut);
    this.#held.copyWithin(0, cut, this.#heldBytes);
    this.#heldBytes -= cut;
    this.#inPieces = true;
    this.#listen(piece, true);
  }

  #copy(chunk: Buffer, start: number, end: number): void {
    const needed = this.#heldBytes + end - start;
    if (needed > this.#held.length) {
      const room = Math.min(this.#pieceBytes, Math.max(needed, 2 * this.#held.length, FIRST_ROOM));
      const larger = Buffer.allocUnsafeSlow(room);
      this.#held.copy(larger, 0, 0, this.#heldBytes);
      this.#held = larger;
    }
    chunk.copy(this.#held, this.#heldBytes, start, end);
    this.#heldBytes = needed;
  }
}

function find(chunk: Buffer, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Where to cut `length` bytes that `next` follows, so that no character is torn. */
function findCut(bytes: Buffer, length: number, next: number): number {
  if (!isContinuation(next)) return length;
  for (let back = 1; back < LONGEST_CHARACTER && back < length; back++) {
    if (!isContinuation(bytes[length - back] ?? 0)) return length - back;
  }
  return length;
}
