/** Addresses and networks as numbers. Accepts exactly what a Kubernetes API server accepts as `ip()` and `cidr()`. */
export interface Network {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

const DECIMAL = /^(0|[1-9][0-9]{0,2})$/;
const HEXADECIMAL = /^[0-9a-fA-F]{1,4}$/;

export function isIpAddress(text: string): boolean {
  return parseAddress(text) !== undefined;
}

/** True for a network without host bits: `10.0.0.0/8`, not `10.1.2.3/8`. */
export function isCidr(text: string): boolean {
  const parts = splitCidr(text);
  return parts !== undefined && parts.network.first === parts.address;
}

/** The network a CIDR stands for, host bits ignored; undefined when the text is no CIDR. */
export function parseCidr(text: string): Network | undefined {
  return splitCidr(text)?.network;
}

export function networksOverlap(a: Network, b: Network): boolean {
  return a.family === b.family && a.first <= b.last && b.first <= a.last;
}

/** The same network without host bits, for a "did you mean". */
export function maskCidr(text: string): string | undefined {
  const parts = splitCidr(text);
  if (parts === undefined) return undefined;
  return `${formatAddress(parts.network.family, parts.network.first)}/${text.slice(text.indexOf("/") + 1)}`;
}

function splitCidr(text: string): { network: Network; address: bigint } | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  const address = parseAddress(text.slice(0, slash));
  const prefix = text.slice(slash + 1);
  if (address === undefined || !DECIMAL.test(prefix)) return undefined;
  const width = address.family === 4 ? 32 : 128;
  if (Number(prefix) > width) return undefined;
  const hostBits = BigInt(width - Number(prefix));
  const first = (address.value >> hostBits) << hostBits;
  return {
    network: { family: address.family, first, last: first + (1n << hostBits) - 1n },
    address: address.value,
  };
}

export function parseAddress(text: string): Address | undefined {
  if (text.length > 45) return undefined;
  if (!text.includes(":")) {
    const value = parseIpv4(text);
    return value === undefined ? undefined : { family: 4, value: BigInt(value) };
  }
  const value = parseIpv6(text);
  // An IPv4 address dressed up as IPv6 would pass for another host than it is.
  if (value === undefined || value >> 32n === 0xffffn) return undefined;
  return { family: 6, value };
}

function parseIpv4(text: string): number | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let value = 0;
  for (const part of parts) {
    if (!DECIMAL.test(part) || Number(part) > 255) return undefined;
    value = value * 256 + Number(part);
  }
  return value;
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [left = "", right = ""] = halves;
  const head = parseGroups(left, halves.length === 1);
  const tail = parseGroups(right, true);
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...Array<number>(missing).fill(0), ...tail];
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

/** Only the very last group of an address may be written as an IPv4 address. */
function parseGroups(text: string, mayEndInIpv4: boolean): number[] | undefined {
  if (text === "") return [];
  const parts = text.split(":");
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (HEXADECIMAL.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const embedded = mayEndInIpv4 && index === parts.length - 1 ? parseIpv4(part) : undefined;
    if (embedded === undefined) return undefined;
    groups.push(Math.floor(embedded / 65_536), embedded % 65_536);
  }
  return groups;
}

function formatAddress(family: 4 | 6, value: bigint): string {
  const size = family === 4 ? 8n : 16n;
  const count = family === 4 ? 4 : 8;
  const groups = Array.from(
    { length: count },
    (_, index) => (value >> (size * BigInt(count - 1 - index))) & ((1n << size) - 1n),
  );
  if (family === 4) return groups.join(".");
  const text = groups.map((group) => group.toString(16)).join(":");
  const zeros = [...text.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].sort((a, b) => b[0].length - a[0].length)[0];
  if (zeros === undefined) return text;
  const before = text.slice(0, zeros.index);
  const after = text.slice(zeros.index + zeros[0].length).replace(/^:/, "");
  return `${before}::${after}`;
}
