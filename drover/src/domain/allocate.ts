import type { Network } from "@drover/contract";
import { maskCidr, networksOverlap, parseCidr } from "@drover/contract";

/**
 * Choosing something free. Every choice depends on its arguments alone: the first fitting candidate that is not
 * taken. What is taken must be read, and the choice stored, in one transaction: this module holds nothing.
 */
export type Allocation<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** `count` different ports, lowest first. */
export function allocatePorts(
  count: number,
  range: PortRange,
  taken: ReadonlySet<number>,
): Allocation<readonly number[]> {
  const ports: number[] = [];
  for (let port = range.from; port <= range.to && ports.length < count; port += 1) {
    if (!taken.has(port)) ports.push(port);
  }
  if (ports.length === count) return { ok: true, value: ports };
  return {
    ok: false,
    message: `Only ${ports.length} of ${count} ports are free between ${range.from} and ${range.to}. Delete a cluster or widen the port range.`,
  };
}

/** The first network of the given size within the pool that overlaps none of those taken. */
export function allocateSubnet(pool: string, prefix: number, taken: readonly string[]): Allocation<string> {
  const whole = parseCidr(pool);
  if (whole === undefined) return { ok: false, message: `The pool "${pool}" is no network such as 10.0.0.0/8.` };
  const width = whole.family === 4 ? 32 : 128;
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > width) {
    return { ok: false, message: `/${prefix} is no size of a network within ${pool}.` };
  }
  const size = 1n << BigInt(width - prefix);
  const occupied: Network[] = [];
  for (const text of taken) {
    const network = parseCidr(text);
    if (network === undefined)
      return { ok: false, message: `The network "${text}", said to be taken, cannot be read.` };
    occupied.push(network);
  }
  // Jumping behind each obstacle keeps this quick in pools with billions of candidates.
  let first = whole.first;
  while (first + size - 1n <= whole.last) {
    const candidate: Network = { family: whole.family, first, last: first + size - 1n };
    const obstacle = occupied.find((network) => networksOverlap(network, candidate));
    if (obstacle === undefined) return { ok: true, value: formatCidr(candidate, prefix) };
    first = ((obstacle.last + size) / size) * size;
  }
  return {
    ok: false,
    message: `No /${prefix} is free within ${pool}: ${taken.length} networks are taken. Widen the pool or name a subnet.`,
  };
}

export interface NameRules {
  readonly maxLength: number;
  /** How many numbers are tried; more than this many equal names are a mistake elsewhere. */
  readonly maxNumber?: number;
}

/** The name itself when it is free, otherwise `name-2`, `name-3` …, shortened where the number needs the room. */
export function allocateName(wanted: string, rules: NameRules, taken: ReadonlySet<string>): Allocation<string> {
  const most = rules.maxNumber ?? 9_999;
  for (let number = 1; number <= most; number += 1) {
    const suffix = number === 1 ? "" : `-${number}`;
    const stem = wanted.slice(0, Math.max(0, rules.maxLength - suffix.length)).replace(/[-.]+$/u, "");
    if (stem === "") break;
    const name = stem + suffix;
    if (!taken.has(name)) return { ok: true, value: name };
  }
  return { ok: false, message: `No free name can be made from "${wanted}". Choose another name.` };
}

function formatCidr(network: Network, prefix: number): string {
  const [groups, bits, base, separator] = network.family === 4 ? [4, 8n, 10, "."] : [8, 16n, 16, ":"];
  const mask = (1n << bits) - 1n;
  const parts = Array.from({ length: groups }, (_, index) =>
    ((network.first >> (bits * BigInt(groups - 1 - index))) & mask).toString(base),
  );
  const text = `${parts.join(separator)}/${prefix}`;
  return maskCidr(text) ?? text;
}
