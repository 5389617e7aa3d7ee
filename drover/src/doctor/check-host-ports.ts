import { type Finding, ok, warning } from "../domain/finding.ts";
import type { HostParts } from "./host-parts.ts";

/** Tried one by one, spread over the range: all of them would take a while. */
const TRIED = 32;

export async function checkHostPorts({ isPortFree, hostPorts: { from, to } }: HostParts): Promise<Finding> {
  const size = to - from + 1;
  const count = Math.min(TRIED, size);
  const ports = Array.from({ length: count }, (_, index) => from + Math.floor((index * size) / count));
  const free = await Promise.all(ports.map((port) => isPortFree("127.0.0.1", port, "TCP")));
  const taken = ports.filter((_, index) => free[index] === false);
  const detail = `${count - taken.length} of ${count} that were tried between ${from} and ${to} are free`;
  if (taken.length * 2 <= count) return ok("Ports", detail);
  return warning("Ports", detail, "Set --host-ports to a range of ports that nothing else uses.");
}
