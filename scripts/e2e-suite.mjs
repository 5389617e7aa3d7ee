// Started by scripts/e2e.mjs for each suite: node scripts/e2e-suite.mjs <result file> <needed variables> <for vitest …>.
// Writes the counts to the result file when the suite has ended.
import { writeFileSync } from "node:fs";
import { closeWithCounts } from "./lib/count-tests.mjs";
import { endWithMessage } from "./lib/end-with-message.mjs";
import { inRoot } from "./lib/paths.mjs";
import { runVitest } from "./lib/run-vitest.mjs";

const [resultFile = "", needs = "", ...args] = process.argv.slice(2);

try {
  const missing = needs.split(",").filter((variable) => variable !== "" && !process.env[variable]);
  if (missing.length > 0) {
    throw new Error(`This suite cannot run without ${missing.join(", ")}; e2e/README.md says what to set.`);
  }
  const counts = await runVitest(["--config", inRoot("e2e/vitest.config.ts"), ...args]);
  writeFileSync(resultFile, JSON.stringify(counts));
  closeWithCounts(counts);
} catch (error) {
  endWithMessage(error);
}
