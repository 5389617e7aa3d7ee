/** Anything that a feed is made of. Places only grow: cursors of events, numbers of lines. */
export interface Placed {
  readonly place: number;
  /** Roughly how many bytes it takes on the wire. */
  readonly size: number;
}

/** One way to see a feed: what of it, and how it is written down. */
export interface View<T> {
  /** Views of the same key turn the same items into the same bytes, so these are made only once. */
  readonly key: string;
  /** The items as they go over the wire; null when none of them is to be seen. */
  encode(items: readonly T[]): Buffer | null;
}

/** Everything of a feed behind one place and up to another, written down once for all who see it the same way. */
export class Frame<T extends Placed> {
  readonly after: number;
  readonly upTo: number;
  readonly items: readonly T[];
  readonly size: number;
  readonly #encoded = new Map<string, Buffer | null>();

  constructor(after: number, upTo: number, items: readonly T[]) {
    this.after = after;
    this.upTo = upTo;
    this.items = items;
    this.size = sizeOf(items);
  }

  /** What somebody has not seen yet who has seen everything up to `place`. */
  bytesAfter(place: number, view: View<T>): Buffer | null {
    if (place >= this.upTo) return null;
    if (place > this.after) return encodeSome(view, this.#itemsAfter(place));
    const known = this.#encoded.get(view.key);
    if (known !== undefined) return known;
    const bytes = encodeSome(view, this.items);
    this.#encoded.set(view.key, bytes);
    return bytes;
  }

  #itemsAfter(place: number): readonly T[] {
    return this.items.filter((item) => item.place > place);
  }
}

const encodeSome = <T>(view: View<T>, items: readonly T[]): Buffer | null =>
  items.length === 0 ? null : view.encode(items);

const sizeOf = (items: readonly Placed[]): number => items.reduce((sum, { size }) => sum + size, 0);

/** Frames that lie end to end from `after` to `upTo`, none much larger than `frameBytes`. */
export function cutFrames<T extends Placed>(
  after: number,
  upTo: number,
  items: readonly T[],
  frameBytes: number,
): readonly Frame<T>[] {
  const frames: Frame<T>[] = [];
  let [start, from, size] = [0, after, 0];
  for (const [index, item] of items.entries()) {
    size += item.size;
    if (size < frameBytes || index === items.length - 1) continue;
    frames.push(new Frame(from, item.place, items.slice(start, index + 1)));
    [start, from, size] = [index + 1, item.place, 0];
  }
  if (upTo > from) frames.push(new Frame(from, upTo, items.slice(start)));
  return frames;
}
