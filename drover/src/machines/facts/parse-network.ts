import { isIP } from "node:net";
import type { MachineFacts } from "@drover/contract";
import { type Told, toWord } from "./told.ts";

/** Of a machine with many containers; the first are its own. */
const MOST = 256;

/** `4: eth0    inet 192.0.2.2/24 brd …`, as `ip -o addr` writes it. */
export function readAddresses(told: Told): MachineFacts["addresses"] {
  const addresses: MachineFacts["addresses"] = [];
  for (const line of told("address")) {
    const [, name, address = "", prefix] =
      /^\d+:\s+([^\s:@]{1,15})\S*\s+inet6?\s+([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?/.exec(line) ?? [];
    if (name === undefined || isIP(address) === 0 || name === "lo") continue;
    const bits = prefix === undefined ? null : Number(prefix);
    addresses.push({ interface: name, address, prefix: bits !== null && bits <= 128 ? bits : null });
    if (addresses.length === MOST) break;
  }
  return addresses;
}

export function readInterfaces(told: Told): MachineFacts["interfaces"] {
  const interfaces: MachineFacts["interfaces"] = [];
  for (const line of told("mac").slice(0, MOST)) {
    const [, name, mac] = /^([^\s/]{1,15}) ([0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5})$/.exec(line) ?? [];
    if (name !== undefined && mac !== undefined && name !== "lo") interfaces.push({ name, mac: mac.toLowerCase() });
  }
  return interfaces;
}

/** From the kernel's own table: interface, destination and gateway, in the byte order of the machine. */
export function readDefaultRoute(told: Told): MachineFacts["defaultRoute"] {
  for (const line of told("route")) {
    const [name, destination, gateway = ""] = line.split(/\s+/);
    const word = toWord(name);
    if (destination !== "00000000" || word === null || !/^[0-9A-Fa-f]{8}$/.test(gateway)) continue;
    return { interface: word.slice(0, 15), gateway: gateway === "00000000" ? null : toAddress(gateway) };
  }
  return null;
}

/** Of the columns of `/proc/net/tcp` the second is the local end, the fourth the state. */
export function readListening(told: Told): MachineFacts["listening"] {
  const found = new Map<string, MachineFacts["listening"][number]>();
  for (const line of told("port")) {
    const [, local = "", , state] = line.split(/\s+/);
    const [, address = "", port = ""] = /^([0-9A-Fa-f]{8}|[0-9A-Fa-f]{32}):([0-9A-Fa-f]{4})$/.exec(local) ?? [];
    if (state !== "0A" || address === "") continue;
    const one = { port: Number.parseInt(port, 16), address: toAddress(address) };
    found.set(`${one.address} ${one.port}`, one);
    if (found.size === MOST) break;
  }
  return [...found.values()].sort((one, other) => one.port - other.port);
}

/** The kernel writes words of 32 bits as the machine has them, which is little-endian wherever Kubernetes is to be had. */
function toAddress(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) =>
    (word.match(/../g) ?? []).map((two) => Number.parseInt(two, 16)).reverse(),
  );
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff) {
    return bytes.slice(12).join(".");
  }
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[at * 2] ?? 0) << 8) | (bytes[at * 2 + 1] ?? 0)).toString(16),
  );
  return groups.every((group) => group === "0") ? "::" : groups.join(":");
}
