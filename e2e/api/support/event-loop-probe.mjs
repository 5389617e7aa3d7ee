// Loaded into a Drover before its own code: tells the longest time that its event loop was held, when it is asked to.
// Time in which another process had the processor does not count: only so much as this process has computed meanwhile.
import { writeFileSync } from "node:fs";

const EVERY_MS = 5;
let longest = { heldMs: 0, lateMs: 0 };
let last = { at: performance.now(), cpu: process.cpuUsage() };

const cpuMs = ({ user, system }) => (user + system) / 1_000;

setInterval(() => {
  const now = { at: performance.now(), cpu: process.cpuUsage() };
  const lateMs = now.at - last.at - EVERY_MS;
  const heldMs = Math.min(lateMs, cpuMs(now.cpu) - cpuMs(last.cpu));
  if (heldMs > longest.heldMs) longest = { heldMs, lateMs };
  last = now;
}, EVERY_MS).unref();

process.on("SIGUSR2", () => {
  writeFileSync(process.env.DROVER_TEST_LOOP_FILE, JSON.stringify(longest));
  longest = { heldMs: 0, lateMs: 0 };
});
