import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/**
 * Where clouds tell a machine who it is, with its credentials, and where only neighbours of a link are: no file and no
 * backup lies there, and nobody but the machine itself has to ask.
 */
const FORBIDDEN = new BlockList();
FORBIDDEN.addSubnet("169.254.0.0", 16, "ipv4");
FORBIDDEN.addSubnet("fe80::", 10, "ipv6");
FORBIDDEN.addAddress("fd00:ec2::254", "ipv6");
FORBIDDEN.addAddress("100.100.100.200", "ipv4");
FORBIDDEN.addSubnet("0.0.0.0", 8, "ipv4");

export const isForbiddenAddress = (address: string): boolean =>
  FORBIDDEN.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

export class ForbiddenAddressError extends Error {
  constructor(host: string, address: string) {
    super(`${host} is ${address}, an address at which Drover fetches nothing`);
  }
}

/** For a host that is given as an address, which nobody looks up. */
export function assertAllowedHost({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && isForbiddenAddress(host)) throw new ForbiddenAddressError(hostname, host);
}

/** Looks a name up as usual; what it leads to is judged here, so that no other answer comes in between. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, options, (error, found: string | LookupAddress[], family?: number) => {
    const addresses = typeof found === "string" ? [found] : (found ?? []).map(({ address }) => address);
    const forbidden = error === null ? addresses.find(isForbiddenAddress) : undefined;
    if (forbidden !== undefined) callback(new ForbiddenAddressError(hostname, forbidden), "", 0);
    else callback(error, found as string, family);
  });
};
