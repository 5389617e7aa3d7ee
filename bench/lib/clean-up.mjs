import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @type {(() => void | Promise<void>)[]} */
const duties = [];

/** What has to be done before the program ends, last things first, also when it is interrupted or fails. */
export function atEnd(duty) {
  duties.push(duty);
}

/** A folder that is gone when the program has ended. */
export function makeTemporaryFolder(purpose) {
  const folder = mkdtempSync(join(tmpdir(), `drover-bench-${purpose}-`));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function cleanUp() {
  for (let duty = duties.pop(); duty !== undefined; duty = duties.pop()) await duty();
}

/**
 * Runs a benchmark to its end and cleans up behind it. Its last word is the line `ratio=`, which the benchmark prints.
 *
 * @param {() => Promise<void>} work
 */
export async function runBenchmark(work) {
  const endWith = (code) => void cleanUp().finally(() => process.exit(code));
  process.once("SIGINT", () => endWith(130));
  process.once("SIGTERM", () => endWith(143));
  process.once("uncaughtException", (error) => {
    console.error(error.stack);
    endWith(1);
  });
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.stack : error);
    // What it has started may go on, and would keep the process.
    endWith(1);
    return;
  }
  await cleanUp();
}
