// npm run verify: format, types, lint, layers, generated files and tests. Runs all of it and reports every failure.
// `--without-tests` leaves the tests out, for those who have just run them.
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { ROOT } = await import("./lib/paths.mjs");
const { endWithMessage } = await import("./lib/end-with-message.mjs");
const { ensureInstall } = await import("./lib/ensure-install.mjs");
const { runVitest } = await import("./lib/run-vitest.mjs");
const { runStage, STAGES } = await import("./lib/verify-stages.mjs");

try {
  await ensureInstall(ROOT);
  const failed = [];
  let passed = 0;
  for (const stage of STAGES) {
    const result = await runStage(stage);
    passed += result.passed;
    failed.push(...result.failed);
  }
  if (!process.argv.includes("--without-tests")) {
    if ((await runVitest([])) === 0) passed += 1;
    else failed.push("tests");
  }
  if (failed.length > 0) process.stdout.write(`\nFailed:\n${failed.map((name) => `  ${name}\n`).join("")}`);
  process.stdout.write(`${passed} passed, ${failed.length} failed\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} catch (error) {
  endWithMessage(error);
}
