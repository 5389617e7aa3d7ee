export interface WaitKey {
  readonly owner: string;
  readonly host: string;
  readonly provider: string;
  readonly priority: number;
}

interface Entry<T> {
  readonly item: T;
  readonly priority: number;
  readonly number: number;
  withdrawn: boolean;
}

/** Requests of one owner that any of them could be granted in place of: same host, same provider. */
interface Lane<T> {
  readonly host: string;
  readonly provider: string;
  /** A heap: the first is the next. */
  readonly entries: Entry<T>[];
}

interface Owner<T> {
  readonly lanes: Map<string, Lane<T>>;
  waiting: number;
}

/**
 * Those who wait, by owner. Owners take turns; within one, the greatest priority goes first. Whoever cannot go now is
 * passed over and keeps the place.
 */
export class WaitQueue<T> {
  /** In the order of their turns. */
  readonly #owners = new Map<string, Owner<T>>();
  #count = 0;

  add(item: T, key: WaitKey): { withdraw(): void } {
    const owner = this.#ownerOf(key.owner);
    const entry: Entry<T> = { item, priority: key.priority, number: this.#count++, withdrawn: false };
    push(laneOf(owner, key).entries, entry);
    owner.waiting += 1;
    return {
      withdraw: () => {
        if (entry.withdrawn) return;
        entry.withdrawn = true;
        this.#leave(key.owner, owner);
      },
    };
  }

  /** Takes the next that can go; null when there is none. */
  take(canGo: (host: string, provider: string) => boolean): T | null {
    for (const [name, owner] of this.#owners) {
      const lane = findBestLane(owner, canGo);
      if (lane === null) continue;
      const entry = pop(lane.entries) as Entry<T>;
      entry.withdrawn = true;
      this.#owners.delete(name);
      this.#owners.set(name, owner);
      this.#leave(name, owner);
      return entry.item;
    }
    return null;
  }

  #ownerOf(name: string): Owner<T> {
    const known = this.#owners.get(name);
    if (known !== undefined) return known;
    const owner: Owner<T> = { lanes: new Map(), waiting: 0 };
    this.#owners.set(name, owner);
    return owner;
  }

  #leave(name: string, owner: Owner<T>): void {
    owner.waiting -= 1;
    if (owner.waiting === 0) this.#owners.delete(name);
  }
}

function laneOf<T>(owner: Owner<T>, { host, provider }: WaitKey): Lane<T> {
  const key = JSON.stringify([host, provider]);
  const known = owner.lanes.get(key);
  if (known !== undefined) return known;
  const lane: Lane<T> = { host, provider, entries: [] };
  owner.lanes.set(key, lane);
  return lane;
}

function findBestLane<T>(owner: Owner<T>, canGo: (host: string, provider: string) => boolean): Lane<T> | null {
  let best: Lane<T> | null = null;
  for (const [key, lane] of owner.lanes) {
    while (lane.entries[0]?.withdrawn) pop(lane.entries);
    const first = lane.entries[0];
    if (first === undefined) owner.lanes.delete(key);
    else if (canGo(lane.host, lane.provider) && (best === null || isBefore(first, best.entries[0] as Entry<T>)))
      best = lane;
  }
  return best;
}

function isBefore<T>(left: Entry<T>, right: Entry<T>): boolean {
  return left.priority === right.priority ? left.number < right.number : left.priority > right.priority;
}

function push<T>(heap: Entry<T>[], entry: Entry<T>): void {
  let at = heap.push(entry) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!isBefore(entry, heap[above] as Entry<T>)) break;
    heap[at] = heap[above] as Entry<T>;
    at = above;
  }
  heap[at] = entry;
}

function pop<T>(heap: Entry<T>[]): Entry<T> | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    const other = below + 1;
    if (other < heap.length && isBefore(heap[other] as Entry<T>, heap[below] as Entry<T>)) below = other;
    if (!isBefore(heap[below] as Entry<T>, last)) break;
    heap[at] = heap[below] as Entry<T>;
    at = below;
  }
  heap[at] = last;
  return first;
}
