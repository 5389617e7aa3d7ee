/**
 * Runs items lane by lane: lanes side by side, the items of one lane one after the other, in the order of the list.
 *
 * @template {{ name: string, lane: string }} T
 * @template R
 * @param {readonly T[]} items
 * @param {{ run: (item: T) => Promise<R>, onWait?: (running: readonly T[]) => void, waitMs?: number, signal?: AbortSignal }} options
 *   `onWait`: told now and then what still runs, so that one that hangs can be seen. `signal`: begins no item after it.
 * @returns {Promise<readonly R[]>} In the order of the items.
 */
export async function runLanes(items, { run, onWait = () => {}, waitMs = 60_000, signal }) {
  /** @type {Map<string, T[]>} */
  const lanes = new Map();
  for (const item of items) lanes.set(item.lane, [...(lanes.get(item.lane) ?? []), item]);
  /** @type {Map<T, R>} */
  const results = new Map();
  /** @type {Set<T>} */
  const running = new Set();
  const reminder = setInterval(() => onWait([...running]), waitMs);
  try {
    await Promise.all(
      [...lanes.values()].map(async (lane) => {
        for (const item of lane) {
          signal?.throwIfAborted();
          running.add(item);
          results.set(item, await run(item));
          running.delete(item);
        }
      }),
    );
  } finally {
    clearInterval(reminder);
  }
  return items.map((item) => /** @type {R} */ (results.get(item)));
}
