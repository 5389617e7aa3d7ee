import type { Container } from "../ports/container-engine.ts";

const API_PORT = 6443;

/** Where the API of a cluster is published on the host, as a URL; null while none of these publishes it. */
export function publishedApi(containers: readonly Container[]): string | null {
  for (const { ports } of containers) {
    const published = ports.find(({ containerPort }) => containerPort === API_PORT);
    if (published !== undefined) return `https://${reachable(published.hostAddress)}:${published.hostPort}`;
  }
  return null;
}

/** From this machine; what listens on every address listens on this one too, and its certificate knows the name. */
function reachable(address: string): string {
  if (address === "0.0.0.0" || address === "::" || address === "") return "localhost";
  return address.includes(":") ? `[${address}]` : address;
}
