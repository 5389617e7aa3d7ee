import { spawn } from "node:child_process";
import { constants } from "node:os";

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [capture] Keep the output instead of showing it.
 * @property {(pid: number) => void} [onStart]
 */

/** @type {readonly NodeJS.Signals[]} */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Runs one program to its end. Never goes through a shell. A program ended by a signal answers 128 + its number.
 * Whoever asks this process to end asks the program as well, so that none is left behind.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runCommand(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: options.capture ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    });
    let output = "";
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString("utf8");
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    const forward = (/** @type {NodeJS.Signals} */ signal) => {
      child.kill(signal);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    child.on("error", reject);
    child.on("spawn", () => options.onStart?.(child.pid ?? 0));
    child.on("close", (code, signal) => {
      for (const forwarded of FORWARDED) process.off(forwarded, forward);
      resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), output });
    });
  });
}

/**
 * Runs npm: the one that runs this script where there is one, so that its version stays the same all the way down.
 *
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 */
export function runNpm(args, options = {}) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith(".js")) return runCommand(process.execPath, [cli, ...args], options);
  return runCommand(process.platform === "win32" ? "npm.cmd" : "npm", args, options);
}
