// Loaded into a Drover before its own code: tells the longest time that its event loop was held, when it is asked to.
// Time in which another process had the processor does not count: only so much as this process has computed meanwhile.
import { readFileSync, writeFileSync } from "node:fs";

const EVERY_MS = 5;
let longest = { heldMs: 0, lateMs: 0 };

/**
 * What the thread of the event loop has computed, where the system tells that; otherwise what all threads have, among
 * them those that compile and collect garbage beside it.
 */
function readCpuMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ")[0]) / 1_000_000;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

let last = { at: performance.now(), cpuMs: readCpuMs() };

setInterval(() => {
  const now = { at: performance.now(), cpuMs: readCpuMs() };
  const lateMs = now.at - last.at - EVERY_MS;
  const heldMs = Math.min(lateMs, now.cpuMs - last.cpuMs);
  if (heldMs > longest.heldMs) longest = { heldMs, lateMs };
  last = now;
}, EVERY_MS).unref();

process.on("SIGUSR2", () => {
  writeFileSync(process.env.DROVER_TEST_LOOP_FILE, JSON.stringify(longest));
  longest = { heldMs: 0, lateMs: 0 };
});
