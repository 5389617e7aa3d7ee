import { isDroverError } from "@drover/contract";
import type { Json } from "../../ports/store/index.ts";
import { sleep, type Timer } from "../../ports/timer.ts";
import { cutFrames, type Frame, type Placed } from "./frame.ts";
import type { ReadGate } from "./read-gate.ts";
import { RecentFrames } from "./recent-frames.ts";
import type { Viewer } from "./viewer.ts";

/** Where the items of a feed come from. */
export interface FeedSource<T extends Placed> {
  /** What comes after a place, oldest first. `upTo` also counts what is not among the items. */
  read(after: number, limit: number): Promise<{ readonly items: readonly T[]; readonly upTo: number }>;
  newest(): Promise<number>;
  /** What it ended with, when nothing can be added any more; null while something can. */
  ending(): Promise<Json>;
  /** Whether a place beyond the newest can only be of another history, such as that of a store that was restored. */
  readonly isBounded: boolean;
}

export interface FeedParts {
  readonly timer: Timer;
  readonly gate: ReadGate;
  readonly onError: (error: unknown) => void;
}

const PAGE_ITEMS = 500;
/** Large enough that the cost of a write hardly counts, small enough that a viewer's buffer ends near its mark. */
const FRAME_BYTES = 64 * 1024;
const RECENT_BYTES = 2 * 1024 * 1024;
const RETRY_MS = 1_000;
const GAP_MS = 250;
const MOST_FULL_BEATS = 40;

/**
 * One thing that many look at, read from the store by one reader for all of them.
 *
 * A viewer is either live or behind. Live ones have seen everything up to `head`, and every new frame is written to all
 * of them in the same turn. Who has more buffered than it may is behind: it gets nothing until it has taken
 * everything, and then goes on from its own place, by the recent frames or by the store, until it is at `head` again.
 */
export class Feed<T extends Placed> {
  readonly #source: FeedSource<T>;
  readonly #parts: FeedParts;
  readonly #viewers = new Set<Viewer<T>>();
  readonly #live = new Set<Viewer<T>>();
  readonly #taps = new Set<(items: readonly T[]) => void>();
  readonly #recent = new RecentFrames<T>(RECENT_BYTES);
  /** Viewers that come back together ask for the same: they share one reading. */
  readonly #readings = new Map<number, Promise<readonly Frame<T>[]>>();
  #head: number | null = null;
  #ending: Json = null;
  #mayHaveEnded = true;
  #isReading = false;
  #isWoken = false;
  #isClosed = false;

  constructor(source: FeedSource<T>, parts: FeedParts) {
    this.#source = source;
    this.#parts = parts;
  }

  get viewers(): ReadonlySet<Viewer<T>> {
    return this.#viewers;
  }

  get #place(): number {
    return this.#head ?? 0;
  }

  get isIdle(): boolean {
    return this.#viewers.size === 0 && this.#taps.size === 0;
  }

  join(viewer: Viewer<T>): void {
    this.#viewers.add(viewer);
    viewer.onceClosed(() => {
      this.#viewers.delete(viewer);
      this.#live.delete(viewer);
    });
    if (this.#head === null) this.look();
    else this.#admit(viewer, this.#head);
  }

  /** Hears of all items from now on, in this process only. */
  tap(listener: (items: readonly T[]) => void): () => void {
    this.#taps.add(listener);
    this.look();
    return () => this.#taps.delete(listener);
  }

  /** There may be something new. */
  look(hint: { readonly mayHaveEnded?: boolean } = {}): void {
    if (hint.mayHaveEnded === true) this.#mayHaveEnded = true;
    this.#isWoken = true;
    if (!this.#isReading && !this.#isClosed) void this.#run();
  }

  /** Tells everybody that the stream is alive, and ends those that have taken nothing for long. */
  beat(): void {
    if (this.#head !== null) for (const viewer of this.#viewers) beatOne(viewer);
    this.look({ mayHaveEnded: true });
  }

  close(): void {
    this.#isClosed = true;
    this.#recent.clear();
    for (const viewer of [...this.#viewers]) viewer.cut("restart");
  }

  async #run(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#isWoken && !this.#isClosed) {
        this.#isWoken = false;
        await this.#readOn();
      }
    } catch (error) {
      if (this.#isClosed) return;
      this.#parts.onError(error);
      this.#parts.timer.after(RETRY_MS, () => this.look({ mayHaveEnded: true }));
    } finally {
      this.#isReading = false;
    }
  }

  async #readOn(): Promise<void> {
    // Asked before the reading: what has ended then cannot have grown by anything that the reading misses.
    const ending = this.#mayHaveEnded ? await this.#source.ending() : null;
    this.#mayHaveEnded = false;
    if (this.#head === null) this.#begin(await this.#source.newest());
    while (await this.#readPage());
    if (ending === null || this.#isClosed) return;
    this.#ending = ending;
    for (const viewer of [...this.#live]) void this.#catchUp(viewer);
  }

  #begin(head: number): void {
    this.#head = head;
    for (const viewer of this.#viewers) this.#admit(viewer, head);
  }

  #admit(viewer: Viewer<T>, head: number): void {
    viewer.begin(head);
    void this.#catchUp(viewer);
  }

  /** False when there is nothing more for now. */
  async #readPage(): Promise<boolean> {
    const after = this.#place;
    try {
      const { items, upTo } = await this.#source.read(after, PAGE_ITEMS);
      if (upTo <= after) return false;
      for (const frame of cutFrames(after, upTo, items, FRAME_BYTES)) {
        if (this.#isClosed) return false;
        this.#publish(frame);
        await nextTurn();
      }
      return true;
    } catch (error) {
      if (!isExpired(error)) throw error;
      await this.#resetAll();
      return true;
    }
  }

  #publish(frame: Frame<T>): void {
    this.#head = frame.upTo;
    this.#recent.add(frame);
    for (const viewer of this.#live) {
      // A heartbeat may have been what filled it.
      if (!viewer.isFull) viewer.take(frame);
      this.#leaveBehindIfFull(viewer);
    }
    for (const tap of this.#taps) tap(frame.items);
  }

  #leaveBehindIfFull(viewer: Viewer<T>): void {
    if (!viewer.isFull) return;
    this.#live.delete(viewer);
    this.#goOnWhenDrained(viewer);
  }

  #goOnWhenDrained(viewer: Viewer<T>): void {
    viewer.onceDrained(() => void this.#catchUp(viewer));
  }

  /** Brings a viewer to where the live ones are, as far as it takes what it is given. */
  async #catchUp(viewer: Viewer<T>): Promise<void> {
    this.#live.delete(viewer);
    while (!viewer.isClosed && !this.#isClosed) {
      if (viewer.isFull) return this.#goOnWhenDrained(viewer);
      if (this.#source.isBounded && viewer.place > this.#place && !(await this.#checkBound(viewer))) continue;
      if (viewer.place >= this.#place) return this.#arrive(viewer);
      const recent = this.#recent.find(viewer.place);
      if (recent !== undefined) viewer.take(recent);
      else await this.#takeFromStore(viewer);
    }
  }

  #arrive(viewer: Viewer<T>): void {
    if (this.#ending === null) this.#live.add(viewer);
    else viewer.finish(viewer.wire.end(this.#ending));
  }

  /** False when it has to be tried again. */
  async #checkBound(viewer: Viewer<T>): Promise<boolean> {
    try {
      // Another server may have read further than this one.
      const newest = await this.#source.newest();
      if (viewer.isFull) return false;
      if (viewer.place > newest) viewer.reset(this.#place);
      return true;
    } catch (error) {
      await this.#pauseAfter(error);
      return false;
    }
  }

  async #takeFromStore(viewer: Viewer<T>): Promise<void> {
    const { place } = viewer;
    try {
      for (const frame of await this.#readFrom(place)) {
        if (viewer.isFull) return;
        viewer.take(frame);
      }
      // On PostgreSQL a gap may have to be waited for again that the reader of all has passed already.
      if (viewer.place === place) await sleep(this.#parts.timer, GAP_MS);
    } catch (error) {
      if (!isExpired(error)) await this.#pauseAfter(error);
      else if (!viewer.isFull) viewer.reset(this.#place);
    }
  }

  #readFrom(place: number): Promise<readonly Frame<T>[]> {
    const reading = this.#readings.get(place) ?? this.#startReading(place);
    this.#readings.set(place, reading);
    return reading;
  }

  async #startReading(place: number): Promise<readonly Frame<T>[]> {
    try {
      return await this.#parts.gate.run(async () => {
        const page = await this.#source.read(place, PAGE_ITEMS);
        // Not beyond where the frames at hand begin: from there on viewers share them.
        const upTo = Math.min(page.upTo, this.#recent.start ?? this.#place);
        const items = page.items.filter((item) => item.place <= upTo);
        return cutFrames(place, upTo, items, FRAME_BYTES);
      });
    } finally {
      this.#readings.delete(place);
    }
  }

  async #resetAll(): Promise<void> {
    const newest = await this.#source.newest();
    this.#head = newest;
    this.#recent.clear();
    for (const viewer of this.#live) {
      if (!viewer.isFull) viewer.reset(newest);
      this.#leaveBehindIfFull(viewer);
    }
  }

  async #pauseAfter(error: unknown): Promise<void> {
    if (this.#isClosed) return;
    this.#parts.onError(error);
    await sleep(this.#parts.timer, RETRY_MS);
  }
}

function beatOne<T extends Placed>(viewer: Viewer<T>): void {
  viewer.fullBeats += viewer.isFull ? 1 : 0;
  if (viewer.fullBeats > MOST_FULL_BEATS) viewer.cut("stalled");
  else if (!viewer.isFull) viewer.beat();
}

const isExpired = (error: unknown): boolean => isDroverError(error) && error.code === "event-cursor-expired";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
