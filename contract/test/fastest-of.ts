declare const performance: { now(): number };

/** Milliseconds of the fastest of several runs, so that a busy machine does not decide. */
export function fastestOf(runs: number, work: () => unknown): number {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}
