/** Random choices that a seed repeats. */
export interface Random {
  /** From 0 up to, not including, `limit`. */
  below(limit: number): number;
  between(low: number, high: number): number;
  chance(percent: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Another sequence, which depends on this one's seed and the name only. */
  fork(name: string): Random;
}

const GOLDEN = 0x9e3779b9;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + GOLDEN) >>> 0;
    return mix(state) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (percent) => below(100) < percent,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    fork: (name) => seededRandom(Buffer.from(name).reduce((hash, byte) => mix(hash ^ byte), seed >>> 0)),
  };
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** `DROVER_E2E_SEED` repeats a run; otherwise every run tries something else. */
export function chooseSeed(): number {
  const given = Number(process.env.DROVER_E2E_SEED);
  return Number.isSafeInteger(given) && given > 0 ? given : 1 + Math.floor(Math.random() * 2 ** 31);
}
