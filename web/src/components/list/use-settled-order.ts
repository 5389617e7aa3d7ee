import { useMemo, useState } from "react";

export interface Settled<T> {
  readonly rows: readonly T[];
  /** How many rows came, went or changed their place since the order was settled. */
  readonly moved: number;
  readonly apply: () => void;
}

/**
 * Rows keep their place while somebody is at work on them: what changes in a row is shown at once, but rows do not jump
 * away under the pointer. `mayMove` says that nobody is.
 */
export function useSettledOrder<T>(
  rows: readonly T[],
  identity: string,
  keyOf: (row: T) => string,
  mayMove: boolean,
): Settled<T> {
  const [settled, setSettled] = useState<{ identity: string; keys: readonly string[] }>({ identity: "", keys: [] });
  const isOther = settled.identity !== identity;
  // Not for every frame of a scroll: with ten thousand rows that would be what the frame is spent on.
  const { wanted, order, moved, isMoved, ordered } = useMemo(() => {
    const keys = rows.map(keyOf);
    const merged = isOther || mayMove ? { order: keys, moved: 0 } : mergeOrder(settled.keys, keys);
    const byKey = new Map(rows.map((row, index) => [keys[index], row]));
    return {
      ...merged,
      wanted: keys,
      isMoved:
        merged.order.length !== settled.keys.length || merged.order.some((key, index) => key !== settled.keys[index]),
      ordered: merged.order.flatMap((key) => byKey.get(key) ?? []),
    };
  }, [rows, keyOf, isOther, mayMove, settled]);
  if (isOther || isMoved) setSettled({ identity, keys: order });
  return { rows: ordered, moved, apply: () => setSettled({ identity, keys: wanted }) };
}

/** The settled order without what is gone; what was read further down comes behind; the rest waits. */
export function mergeOrder(
  settled: readonly string[],
  wanted: readonly string[],
): { readonly order: readonly string[]; readonly moved: number } {
  const there = new Set(wanted);
  const kept = settled.filter((key) => there.has(key));
  const known = new Set(kept);
  const lastKnown = wanted.findLastIndex((key) => known.has(key));
  const order = [...kept, ...wanted.slice(lastKnown + 1)];
  const inOrder = new Set(order);
  const shown = wanted.filter((key) => inOrder.has(key));
  const misplaced = shown.filter((key, index) => key !== order[index]).length;
  return { order, moved: misplaced + (wanted.length - shown.length) };
}
