// npm run e2e: the suites of e2e/ that the last commits affect, and a smoke of the others; npm run e2e:all: everything.
// `npm run e2e -- <suite> …` runs the named ones.
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { inRoot, ROOT } = await import("./lib/paths.mjs");
const { endWithMessage } = await import("./lib/end-with-message.mjs");
const { addCounts, closeWithCounts } = await import("./lib/count-tests.mjs");
const { ensureInstall } = await import("./lib/ensure-install.mjs");
const { pickSuites, readSuites } = await import("./lib/pick-suites.mjs");
const { runVitest } = await import("./lib/run-vitest.mjs");

// Suites that have more to show than every change needs ask for this.
if (process.argv.includes("--all")) process.env.DROVER_E2E_ALL = "1";

try {
  await ensureInstall(ROOT);
  await ensureInstall(inRoot("e2e"));
  const counts = [];
  for (const { needs = [], paths } of await pickSuites(readSuites(), process.argv.slice(2))) {
    process.stdout.write(`\n--- ${paths.join(" ")} ---\n`);
    const missing = needs.filter((variable) => !process.env[variable]);
    if (missing.length > 0) {
      process.stdout.write(`This suite cannot run without ${missing.join(", ")}; e2e/README.md says what to set.\n`);
      counts.push({ passed: 0, failed: 1, skipped: 0 });
    } else counts.push(await runVitest(["--config", inRoot("e2e/vitest.config.ts"), ...paths]));
  }
  closeWithCounts(addCounts(...counts));
} catch (error) {
  endWithMessage(error);
}
