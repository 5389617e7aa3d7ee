/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 *
 * @typedef {object} VitestReport
 * @property {{ status: string, assertionResults: { status: string }[] }[]} testResults
 */

/**
 * Counts a vitest JSON report. A file that failed without a failed test of its own (it did not load, or a hook threw)
 * counts as one failure; so does a run that ended badly or ran nothing: a test run never succeeds by not happening.
 *
 * @param {VitestReport | undefined} report
 * @param {number} exitCode
 * @returns {Counts}
 */
export function countTests(report, exitCode) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report?.testResults ?? []) {
    const failedBefore = counts.failed;
    for (const { status } of file.assertionResults) {
      if (status === "passed") counts.passed += 1;
      else if (status === "failed") counts.failed += 1;
      else counts.skipped += 1;
    }
    if (file.status === "failed" && counts.failed === failedBefore) counts.failed += 1;
  }
  const ranNothing = counts.passed + counts.failed === 0;
  if (counts.failed === 0 && (exitCode !== 0 || ranNothing)) counts.failed = 1;
  return counts;
}

/** @param {readonly Counts[]} all */
export function addCounts(...all) {
  return all.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/**
 * Closes a run: the counts alone on the last line, and the exit code that goes with them.
 *
 * @param {Counts} counts
 */
export function closeWithCounts(counts) {
  process.stdout.write(`${formatCounts(counts)}\n`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

/** @param {Counts} counts */
export function formatCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
