import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below what systems give to outgoing connections, and apart from what Drover gives to clusters: a port that is free now
 * stays free until the program that it is for has taken it, whatever else runs on the machine.
 */
const [FROM, TO] = [10_000, 17_999];

/** A port of loopback for a program that cannot choose one itself. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(FROM, TO);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port between ${FROM} and ${TO} is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
