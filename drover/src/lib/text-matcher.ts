/** So many units of a text give it away; of shorter texts it is half. */
const TELLING_UNITS = 4;
const ASCII = 128;

/** What is at work in a stream: which beginning of a text it ends with. `START` is none. */
export type MatchState = number;
export const START: MatchState = 0;

/**
 * Finds any of a set of texts in a stream, unit by unit and however the stream is cut (Aho and Corasick). Takes time
 * in proportion to the stream, whatever the number of texts.
 */
export class TextMatcher {
  readonly #unit: number[] = [0];
  readonly #parent: number[] = [0];
  readonly #child: number[] = [0];
  readonly #sibling: number[] = [0];
  readonly #depth: number[] = [0];
  /** The state of the longest proper end of this one's text that is a beginning too. */
  readonly #shorter: number[] = [0];
  readonly #found: number[] = [0];
  readonly #shortestText: number[] = [0];
  readonly #telling: number[] = [0];
  readonly #asciiStart = new Int32Array(ASCII);
  readonly #otherStart = new Map<number, MatchState>();

  constructor(texts: Iterable<string>) {
    for (const text of texts) if (text !== "") this.#add(text);
    this.#connect();
  }

  /** The state after one more unit. */
  next(state: MatchState, unit: number): MatchState {
    for (let at = state; at !== START; at = this.#shorter[at] as number) {
      const child = this.#childOf(at, unit);
      if (child !== 0) return child;
    }
    return unit < ASCII ? (this.#asciiStart[unit] as number) : (this.#otherStart.get(unit) ?? START);
  }

  /** How long the longest text is that ends here; 0 when none does. */
  found(state: MatchState): number {
    return this.#found[state] as number;
  }

  /** How many of the last units are the beginning of a text. */
  depth(state: MatchState): number {
    return this.#depth[state] as number;
  }

  /** How many of the last units are the beginning of a text, and enough of one to give it away. */
  telling(state: MatchState): number {
    return this.#telling[state] as number;
  }

  /** The units that `depth` counts. */
  textOf(state: MatchState): string {
    const units: number[] = [];
    for (let at = state; at !== START; at = this.#parent[at] as number) units.push(this.#unit[at] as number);
    return units.reduceRight((text, unit) => text + String.fromCharCode(unit), "");
  }

  #add(text: string): void {
    let at: MatchState = START;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      const child = at === START ? this.next(START, unit) : this.#childOf(at, unit);
      at = child === 0 ? this.#grow(at, unit) : child;
      this.#shortestText[at] = Math.min(this.#shortestText[at] as number, text.length);
    }
    this.#found[at] = text.length;
  }

  #grow(parent: MatchState, unit: number): MatchState {
    const state = this.#unit.push(unit) - 1;
    this.#parent.push(parent);
    this.#child.push(0);
    this.#sibling.push(parent === START ? 0 : (this.#child[parent] as number));
    this.#depth.push((this.#depth[parent] as number) + 1);
    this.#shorter.push(START);
    this.#found.push(0);
    this.#shortestText.push(Number.POSITIVE_INFINITY);
    this.#telling.push(0);
    if (parent !== START) this.#child[parent] = state;
    else if (unit < ASCII) this.#asciiStart[unit] = state;
    else this.#otherStart.set(unit, state);
    return state;
  }

  #childOf(state: MatchState, unit: number): MatchState {
    let child = this.#child[state] as number;
    while (child !== 0 && this.#unit[child] !== unit) child = this.#sibling[child] as number;
    return child;
  }

  /** Shorter states first: each is connected through those before it. */
  #connect(): void {
    const byDepth = Array.from(this.#depth.keys()).sort(
      (a, b) => (this.#depth[a] as number) - (this.#depth[b] as number),
    );
    for (const state of byDepth.slice(1)) {
      const parent = this.#parent[state] as number;
      const shorter =
        parent === START ? START : this.next(this.#shorter[parent] as number, this.#unit[state] as number);
      this.#shorter[state] = shorter;
      this.#found[state] = Math.max(this.#found[state] as number, this.#found[shorter] as number);
      const depth = this.#depth[state] as number;
      const enough = Math.min(TELLING_UNITS, Math.ceil((this.#shortestText[state] as number) / 2));
      this.#telling[state] = depth >= enough ? depth : (this.#telling[shorter] as number);
    }
  }
}
