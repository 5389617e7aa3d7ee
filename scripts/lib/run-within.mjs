import { spawn } from "node:child_process";
import { constants } from "node:os";

/**
 * @typedef {object} Limits
 * @property {number} limitMs How long it may take.
 * @property {number} graceMs How long it may take to end once it was asked to.
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {AbortSignal} [signal] Asks it to end before its time.
 */

/** Of each stream, what a report may need. */
const KEPT_CHARS = 200_000;
const LAST_WORDS_MS = 1_000;

/**
 * Runs one program to its end, in a process group of its own, and keeps its output. When its time is up it is asked to
 * end, so that it can clean up, and then ended with all that it has started; what is left of the group when the program
 * has ended is ended in any case.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Limits} limits
 * @returns {Promise<{ code: number, stdout: string, stderr: string, isTooLong: boolean }>}
 */
export function runWithin(program, args, { limitMs, graceMs, cwd, env = process.env, signal }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const [stdout, stderr] = [keepTail(child.stdout), keepTail(child.stderr)];
    let isTooLong = false;
    /** @type {NodeJS.Timeout | undefined} */
    let last;
    const end = () => {
      child.kill("SIGTERM");
      last ??= setTimeout(() => killGroup(child.pid), graceMs);
    };
    const limit = setTimeout(() => {
      isTooLong = true;
      end();
    }, limitMs);
    const settle = () => {
      clearTimeout(limit);
      clearTimeout(last);
      signal?.removeEventListener("abort", end);
      killGroup(child.pid);
    };
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
    child.on("error", (error) => {
      settle();
      reject(error);
    });
    child.on("exit", (code, ended) => {
      settle();
      const answer = () => {
        for (const stream of [child.stdout, child.stderr]) stream.destroy();
        resolve({
          code: code ?? 128 + (ended === null ? 0 : constants.signals[ended]),
          ...{ stdout: stdout(), stderr: stderr(), isTooLong },
        });
      };
      // What left the group holds the output open for as long as it lives; nobody waits for that.
      const patience = setTimeout(answer, LAST_WORDS_MS);
      child.once("close", () => {
        clearTimeout(patience);
        answer();
      });
    });
  });
}

/** @param {number | undefined} pid */
function killGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}

/** @param {import("node:stream").Readable} stream */
function keepTail(stream) {
  let text = "";
  stream.setEncoding("utf8").on("data", (/** @type {string} */ chunk) => {
    text = (text + chunk).slice(-KEPT_CHARS);
  });
  return () => text;
}
