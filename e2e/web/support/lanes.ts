/** Works through a list with so many at once; each lane keeps what it opened until there is nothing left for it. */
export async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  openLane: () => Promise<{ readonly take: (item: T) => Promise<void>; readonly close: () => Promise<void> }>,
): Promise<void> {
  const left = [...items];
  const work = async () => {
    const lane = await openLane();
    try {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await lane.take(item);
    } finally {
      await lane.close();
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, work));
}
