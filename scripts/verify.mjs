// npm run verify: format, types, lint, layers, generated files and tests. Runs all of it and reports every failure.
// `--without-tests` leaves the tests out, for those who have just run them.
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { inRoot, ROOT } = await import("./lib/paths.mjs");
const { endWithMessage } = await import("./lib/end-with-message.mjs");
const { addCounts, closeWithCounts } = await import("./lib/count-tests.mjs");
const { ensureInstall } = await import("./lib/ensure-install.mjs");
const { runVitest } = await import("./lib/run-vitest.mjs");
const { runStage, STAGES } = await import("./lib/verify-stages.mjs");

try {
  await ensureInstall(ROOT);
  // Its types are checked with the packages that it uses.
  await ensureInstall(inRoot("e2e"));
  const results = [];
  for (const stage of STAGES) results.push(await runStage(stage));
  const failed = results.flatMap((result) => result.failed);
  let counts = { passed: results.reduce((sum, { passed }) => sum + passed, 0), failed: failed.length, skipped: 0 };
  if (!process.argv.includes("--without-tests")) {
    const tests = await runVitest([]);
    if (tests.failed > 0) failed.push("tests");
    counts = addCounts(counts, tests);
  }
  if (failed.length > 0) process.stdout.write(`\nFailed:\n${failed.map((name) => `  ${name}\n`).join("")}`);
  closeWithCounts(counts);
} catch (error) {
  endWithMessage(error);
}
