import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { ROOT } from "./paths.mjs";

/**
 * A reporter for vitest that writes down how long each file took, loading included: the report that counts tests knows
 * nothing of loading, which is a large part of the time.
 */
export class TimeReporter {
  /** @type {import("./time-table.mjs").FileTime[]} */
  #times = [];

  /** @param {string} outputFile */
  constructor(outputFile) {
    this.outputFile = outputFile;
  }

  /** @param {import("vitest/node").TestModule} module */
  onTestModuleEnd(module) {
    const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
    const loading = environmentSetupDuration + prepareDuration + setupDuration + collectDuration;
    this.#times.push({ file: relative(ROOT, module.moduleId), loading, running: duration });
  }

  onTestRunEnd() {
    writeFileSync(this.outputFile, JSON.stringify(this.#times));
  }
}
