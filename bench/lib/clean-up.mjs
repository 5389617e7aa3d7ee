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
  // A process that was just ended may still have written something.
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A duty that fails does not keep the others from being done. */
async function cleanUp() {
  for (let duty = duties.pop(); duty !== undefined; duty = duties.pop()) {
    try {
      await duty();
    } catch (error) {
      complain(error);
      process.exitCode = 1;
    }
  }
}

const complain = (error) => console.error(error instanceof Error ? error.stack : error);

/** Packages bring handlers of their own, which end the process with another code, or before everything is cleaned up. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
const ENDINGS = [...Object.keys(SIGNALS), "beforeExit", "exit"];

/**
 * Runs a benchmark to its end and cleans up behind it. Its last word is the line `ratio=`, which the benchmark prints.
 *
 * @param {() => Promise<void>} work
 */
export async function runBenchmark(work) {
  let code;
  const finish = () => void cleanUp().finally(() => process.exit(code));
  const endWith = (wanted, why) => {
    // What is cut off while everything is taken down is no news.
    if (code !== undefined) return;
    code = wanted;
    complain(why);
    finish();
  };
  const fail = (error) => endWith(1, error);
  const waitsForNothing = () => {
    if (code === undefined) fail(new Error("The benchmark waits for something that cannot come any more."));
    // A duty that never ends does not keep the others from being done either.
    else finish();
  };
  for (const event of ENDINGS) process.removeAllListeners(event);
  for (const [signal, number] of Object.entries(SIGNALS)) {
    process.on(signal, () => endWith(number, `Interrupted by ${signal}.`));
  }
  process.on("uncaughtException", fail);
  process.on("beforeExit", waitsForNothing);
  try {
    await work();
    // What is cut off by a signal may look as if it had come to its end.
    if (code === undefined) await cleanUp();
  } catch (error) {
    // What it has started may go on, and would keep the process.
    fail(error);
  }
  if (code === undefined) process.off("beforeExit", waitsForNothing);
}
