import { isIP } from "node:net";

/**
 * The part of an address that stands for one customer of a network: all of IPv4, the first half of IPv6, as anyone with
 * IPv6 has the second half to themselves.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [plain = ""] = address.split("%", 1);
  if (isIP(plain) !== 6) return address;
  const [head = "", tail = ""] = plain.toLowerCase().split("::");
  const [front, back] = [head, tail].map((part) => (part === "" ? [] : part.split(":"))) as [string[], string[]];
  const zeros = plain.includes("::")
    ? Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0")
    : [];
  const groups = [...front, ...zeros, ...back].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
