import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { atEnd } from "./clean-up.mjs";

/** A process of Node.js that is gone, at the latest, when the program has ended. */
export function startNode(args, { env = {} } = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, ...env },
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    complaint = (complaint + text).slice(-5_000);
  });
  const ended = once(child, "close");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  atEnd(kill);
  return { signal: (signal) => child.kill(signal), kill, complaint: () => complaint };
}

/** Asks until the answer is something; fails with what `why` says. */
export async function waitFor(ask, { patienceMs = 60_000, everyMs = 5, why = () => "" } = {}) {
  const end = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`It did not come about in ${patienceMs} ms. ${why()}`);
    await sleep(everyMs);
  }
}
