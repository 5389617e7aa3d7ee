import { secretForms } from "./secret-forms.ts";
import { type MatchState, START, TextMatcher } from "./text-matcher.ts";

export const MASK = "***";

/**
 * Knows secrets and hides them in texts, in whatever form they turn up (see secret-forms.ts). Line breaks count for
 * nothing: a secret that was broken over lines or written in pieces is hidden all the same.
 */
export class SecretMask {
  readonly #secrets = new Set<string>();
  #matcher: TextMatcher | null = null;

  /** Hidden from here on. */
  add(secret: string): void {
    if (this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    this.#matcher = null;
  }

  /** Made anew, at the next use, after secrets were added. */
  get matcher(): TextMatcher {
    this.#matcher ??= new TextMatcher([...this.#secrets].flatMap(secretForms));
    return this.#matcher;
  }

  get isEmpty(): boolean {
    return this.#secrets.size === 0;
  }

  /** A complete text: nothing follows that could complete a secret. */
  mask(text: string): string {
    if (this.isEmpty) return text;
    const stream = new MaskStream(this);
    const pieces = text.split(/\r\n|\n|\r/).map((line) => stream.push(line));
    stream.end();
    return pieces.map((piece) => piece.reveal()).join("\n");
  }

  /** The strings of a JSON value, keys included. */
  maskJson<T>(value: T): T {
    return this.isEmpty ? value : (maskValue(value, (text) => this.mask(text)) as T);
  }
}

function maskValue(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), maskValue(item, mask)]));
}

/**
 * Hides secrets in a text that comes in pieces. A piece is read with `reveal`, as late as possible: until then what
 * follows can still show that its end is the beginning of a secret.
 */
export class MaskStream {
  readonly #mask: SecretMask;
  #matcher: TextMatcher;
  #state: MatchState = START;
  #position = 0;
  /** Those that a secret which is not complete yet reaches back into. */
  #open: MaskedPiece[] = [];

  constructor(mask: SecretMask) {
    this.#mask = mask;
    this.#matcher = mask.matcher;
  }

  push(text: string): MaskedPiece {
    const matcher = this.#follow();
    const piece = new MaskedPiece(text, this.#position, this);
    this.#open.push(piece);
    let state = this.#state;
    for (let index = 0; index < text.length; index++) {
      state = matcher.next(state, text.charCodeAt(index));
      const length = state === START ? 0 : matcher.found(state);
      if (length > 0) this.#hide(piece.start + index + 1 - length, piece.start + index + 1);
    }
    this.#state = state;
    this.#position += text.length;
    this.#close(this.#position - matcher.depth(state));
    return piece;
  }

  /** Nothing follows: what looked like the beginning of a secret is none. */
  end(): void {
    this.#state = START;
    this.#open = [];
  }

  /** From where on the text so far may be a secret's beginning, enough of it to give it away. */
  get tellingFrom(): number {
    return this.#position - this.#matcher.telling(this.#state);
  }

  #hide(from: number, to: number): void {
    for (let index = this.#open.length - 1; index >= 0; index--) {
      const piece = this.#open[index] as MaskedPiece;
      if (piece.end <= from) break;
      if (piece.length > 0) piece.hide(from, to);
    }
  }

  #close(until: number): void {
    if (until >= this.#position) this.#open.length = 0;
    else this.#open = this.#open.slice(this.#open.findIndex((piece) => piece.end > until));
  }

  /** Secrets were added: what was under way goes on in the new matcher. */
  #follow(): TextMatcher {
    const matcher = this.#mask.matcher;
    if (matcher === this.#matcher) return matcher;
    const underWay = this.#matcher.textOf(this.#state);
    this.#state = START;
    for (let index = 0; index < underWay.length; index++) {
      this.#state = matcher.next(this.#state, underWay.charCodeAt(index));
    }
    this.#matcher = matcher;
    return matcher;
  }
}

export class MaskedPiece {
  readonly start: number;
  readonly #text: string;
  readonly #stream: MaskStream;
  /** In order, apart from each other, in positions of the stream. */
  #hidden: { from: number; to: number }[] | null = null;

  constructor(text: string, start: number, stream: MaskStream) {
    this.#text = text;
    this.start = start;
    this.#stream = stream;
  }

  get end(): number {
    return this.start + this.#text.length;
  }

  get length(): number {
    return this.#text.length;
  }

  hide(from: number, to: number): void {
    this.#hidden ??= [];
    let first = from;
    let last = this.#hidden.at(-1);
    while (last !== undefined && last.to >= first) {
      first = Math.min(first, last.from);
      this.#hidden.pop();
      last = this.#hidden.at(-1);
    }
    this.#hidden.push({ from: first, to });
  }

  /** As it may be shown. An end that could be the greater part of a secret is hidden too. */
  reveal(): string {
    if (this.#stream.tellingFrom < this.end) this.hide(this.#stream.tellingFrom, this.end);
    if (this.#hidden === null) return this.#text;
    let shown = "";
    let at = 0;
    for (const { from, to } of this.#hidden) {
      shown += this.#text.slice(at, Math.max(at, from - this.start)) + MASK;
      at = to - this.start;
    }
    return shown + this.#text.slice(at);
  }
}
