import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { countTests } from "./count-tests.mjs";
import { inRoot, ROOT } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";
import { makeTestFolder } from "./test-folder.mjs";
import { formatTimes, passOnTimes } from "./time-table.mjs";

/** How long what a run started may take to end after it. */
const LEFTOVERS_MS = 10_000;

/**
 * Runs vitest, shows what it says and where the time went, and counts. What tests leave behind, files or processes,
 * counts as a failure.
 *
 * @param {readonly string[]} args
 * @param {{ node?: string, inMemory?: boolean }} [options] `node`: the Node.js program that runs the tests.
 * @returns {Promise<import("./count-tests.mjs").Counts>}
 */
export async function runVitest(args, options = {}) {
  const { node = process.execPath, inMemory = false } = options;
  const reports = makeTestFolder();
  const folder = makeTestFolder({ inMemory });
  const began = performance.now();
  try {
    const { code } = await runCommand(node, [inRoot("node_modules/vitest/vitest.mjs"), "run", ...args], {
      cwd: ROOT,
      env: {
        ...process.env,
        ...folder.environment,
        DROVER_TEST_REPORTS: reports.path,
        PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
      },
    });
    const report = readReport(join(reports.path, "tests.json"));
    showTimes(readReport(join(reports.path, "times.json")), performance.now() - began);
    if (report === undefined) process.stdout.write(`vitest left no report; it ended with exit code ${code}.\n`);
    else if (code !== 0) process.stdout.write(`vitest ended with exit code ${code}; its messages are above.\n`);
    const counts = countTests(report, code);
    return (await isLeftClean(folder)) ? counts : { ...counts, failed: counts.failed + 1 };
  } finally {
    folder.remove();
    reports.remove();
  }
}

/**
 * @param {import("./time-table.mjs").FileTime[] | undefined} times
 * @param {number} wallMs
 */
function showTimes(times, wallMs) {
  if (times === undefined) return;
  process.stdout.write(`\n${formatTimes(times, { wallMs })}\n`);
  passOnTimes(times);
}

/** @param {import("./test-folder.mjs").TestFolder} folder */
async function isLeftClean(folder) {
  const deadline = performance.now() + LEFTOVERS_MS;
  // A process that was told to end needs a moment.
  while (folder.listLeftovers().length > 0 && performance.now() < deadline) await sleep(200);
  const leftovers = folder.listLeftovers();
  if (leftovers.length === 0) return true;
  const list = leftovers.map((one) => `  ${one}\n`).join("");
  process.stdout.write(`The tests left ${leftovers.length} things behind; what made them has to remove them:\n${list}`);
  return false;
}

/** @param {string} path */
function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}
