import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { countTests } from "./count-tests.mjs";
import { inRoot, ROOT } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";

/**
 * Runs vitest, shows what it says, and counts.
 *
 * @param {readonly string[]} args
 * @param {{ node?: string }} [options] `node`: the Node.js program that runs the tests.
 * @returns {Promise<import("./count-tests.mjs").Counts>}
 */
export async function runVitest(args, options = {}) {
  const { node = process.execPath } = options;
  const folder = mkdtempSync(join(tmpdir(), "drover-test-"));
  const reportFile = join(folder, "report.json");
  try {
    const flags = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`, ...args];
    const { code } = await runCommand(node, [inRoot("node_modules/vitest/vitest.mjs"), "run", ...flags], {
      cwd: ROOT,
      env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
    });
    const report = readReport(reportFile);
    if (report === undefined) process.stdout.write(`vitest left no report; it ended with exit code ${code}.\n`);
    else if (code !== 0) process.stdout.write(`vitest ended with exit code ${code}; its messages are above.\n`);
    return countTests(report, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
