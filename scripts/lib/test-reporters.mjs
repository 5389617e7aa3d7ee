import { join } from "node:path";
import { TimeReporter } from "./time-reporter.mjs";

/**
 * What vitest says on the terminal, and the reports that `run-vitest.mjs` reads, where it asked for them.
 *
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {NonNullable<import("vitest/node").InlineConfig["reporters"]>}
 */
export function listReporters(environment = process.env) {
  const folder = environment.DROVER_TEST_REPORTS;
  if (!folder) return ["default"];
  return [
    "default",
    ["json", { outputFile: join(folder, "tests.json") }],
    new TimeReporter(join(folder, "times.json")),
  ];
}
