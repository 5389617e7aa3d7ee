/** What stands among the keys for writing and reading plain text. */
export const PLAIN = "identity";

export interface EncryptionKey {
  /** Stands in front of everything that the key has written: never the same for two keys. */
  readonly name: string;
  /** 32 bytes, in base64. */
  readonly secret: string;
}

/**
 * The keys of a cluster. The ring decides what every API server is given, and it moves one stage at a time: before each
 * move all API servers have what it says. So whatever one of them writes, all others can read, wherever it was cut off.
 */
export interface KeyRing {
  /** Names of keys, and `PLAIN`: all of them read, the first one writes. Empty where nothing is encrypted. */
  readonly order: readonly string[];
  readonly keys: readonly EncryptionKey[];
  /** What is to have written everything in the end; null once it has. */
  readonly target: string | null;
  /** The last job that rotated. */
  readonly rotatedBy: string | null;
  /** Names of keys that were dropped, newest first: on a machine that was away they are no strangers. */
  readonly former: readonly string[];
}

export const NO_KEYS: KeyRing = { order: [], keys: [], target: null, rotatedBy: null, former: [] };

const FORMER_KEPT = 32;

/** Whether API servers have to be told of keys. */
export const isInUse = ({ order }: KeyRing): boolean => order.length > 0;

/** For a cluster that has no data yet. */
export const beginWith = (ring: KeyRing, key: EncryptionKey): KeyRing => ({
  ...ring,
  order: [key.name, PLAIN],
  keys: [key],
  target: null,
});

/** A new key is known to all before anybody writes with it. */
export function aimAtKey(ring: KeyRing, key: EncryptionKey): KeyRing {
  const [first = PLAIN, ...others] = ring.order;
  return { ...ring, order: [first, key.name, ...others], keys: [...ring.keys, key], target: key.name };
}

/** Back to a key that is known to all already, or to plain text. */
export function aimAtKnown(ring: KeyRing, name: string): KeyRing {
  if (!ring.order.includes(name) || ring.target === name) return ring;
  if (ring.order[0] === name && ring.target === null) return ring;
  return { ...ring, target: name };
}

/** From now on the target writes. */
export function lead(ring: KeyRing): KeyRing {
  const { target, order } = ring;
  if (target === null || order[0] === target) return ring;
  return { ...ring, order: [target, ...order.filter((name) => name !== target)] };
}

/** Everything was written anew: the others are of no use any more. Plain text stays readable beside a key. */
export function settle(ring: KeyRing): KeyRing {
  const { target, keys } = ring;
  if (target === null) return ring;
  if (ring.order[0] !== target) throw new Error(`${target} does not write yet.`);
  const kept = keys.filter(({ name }) => name === target);
  const dropped = keys.flatMap(({ name }) => (name === target ? [] : [name])).reverse();
  return {
    ...ring,
    order: target === PLAIN ? [] : [target, PLAIN],
    keys: kept,
    target: null,
    former: [...dropped, ...ring.former].slice(0, FORMER_KEPT),
  };
}

/** With what a backup was written with: the database that is made of it is read, and written anew afterwards. */
export function readAlso(ring: KeyRing, order: readonly string[], keys: readonly EncryptionKey[]): KeyRing {
  const known = ring.order.length === 0 ? [PLAIN] : ring.order;
  const [first = PLAIN] = known;
  const written = order.length === 0 ? [PLAIN] : order;
  const foreign = written.filter((name) => name !== first && !(name === PLAIN && written[0] === first));
  if (ring.target === null && foreign.length === 0) return ring;
  const added = keys.filter(({ name }) => !known.includes(name));
  if (added.length === 0 && (ring.order.length === 0 || ring.target === first)) return ring;
  return {
    ...ring,
    order: [first, ...added.map(({ name }) => name), ...known.slice(1)],
    keys: [...ring.keys, ...added],
    target: first,
    former: ring.former.filter((name) => !added.some((key) => key.name === name)),
  };
}

export const formatRing = (ring: KeyRing): Uint8Array => Buffer.from(JSON.stringify(ring));

export const parseRing = (value: Uint8Array | null): KeyRing =>
  value === null ? NO_KEYS : (JSON.parse(Buffer.from(value).toString()) as KeyRing);
