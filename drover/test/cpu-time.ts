/**
 * Microseconds of work of the cheapest of several runs. Unlike the time on the wall it does not count how long the
 * machine was busy with something else. For comparing work with work, never with a number.
 */
export function cpuTimeOf(runs: number, work: () => unknown): number {
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    work();
    const after = process.cpuUsage();
    return after.user + after.system - before.user - before.system;
  });
  return Math.max(1, Math.min(...times));
}
