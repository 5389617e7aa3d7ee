import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} Smokes What bench/smokes.json says.
 * @property {readonly string[]} longest The programs that begin first, so that none of them is waited for at the end.
 * @property {Readonly<Record<string, readonly string[]>>} needs Environment variables without which a program cannot run.
 *
 * @typedef {object} Picked
 * @property {string} name
 * @property {readonly string[]} needs
 *
 * @typedef {object} Ended
 * @property {number} code
 * @property {string} stdout
 * @property {boolean} isTooLong It was ended because it took longer than it may.
 * @property {readonly string[]} leftovers Files and folders that it should have removed.
 *
 * @typedef {{ ratio: number, problem?: undefined } | { problem: string, ratio?: undefined }} Verdict
 */

/** @param {string} folder @returns {Smokes} */
export function readSmokes(folder) {
  return JSON.parse(readFileSync(join(folder, "smokes.json"), "utf8"));
}

/** Every program in the folder is a benchmark. @param {string} folder */
export function listBenchmarks(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".mjs"))
    .map((file) => file.slice(0, -".mjs".length))
    .sort();
}

/**
 * The programs that a command line names, or all of them, the longest first.
 *
 * @param {readonly string[]} all
 * @param {Smokes} smokes
 * @param {readonly string[]} args
 * @returns {readonly Picked[]}
 */
export function pickBenchmarks(all, { longest, needs }, args) {
  const known = `Must be one of: ${all.join(", ")}.`;
  const stale = [...longest, ...Object.keys(needs)].find((name) => !all.includes(name));
  if (stale !== undefined) throw new Error(`bench/smokes.json names "${stale}", which is no benchmark. ${known}`);
  const names = args.map((arg) => arg.replace(/\.mjs$/, ""));
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`There is no benchmark "${unknown}". ${known}`);
  const wanted = names.length === 0 ? all : all.filter((name) => names.includes(name));
  const inOrder = [
    ...longest.filter((name) => wanted.includes(name)),
    ...wanted.filter((name) => !longest.includes(name)),
  ];
  return inOrder.map((name) => ({ name, needs: needs[name] ?? [] }));
}

/**
 * Whether a program did what its smoke has to do: it took the small sizes, ended well and in time, closed with a ratio
 * that is a number, and left nothing behind.
 *
 * @param {Ended} ended
 * @returns {Verdict}
 */
export function judgeSmoke({ code, stdout, isTooLong, leftovers }) {
  if (isTooLong) return { problem: "took too long and was ended" };
  if (code !== 0) return { problem: `ended with exit code ${code}` };
  const lines = stdout.trimEnd().split("\n");
  if (!lines.some((line) => line.startsWith("smoke: "))) return { problem: "did not say that it took the smoke sizes" };
  const last = lines.at(-1) ?? "";
  const ratio = /^ratio=(\d+(?:\.\d+)?)$/.exec(last)?.[1];
  if (ratio === undefined) return { problem: `has no ratio as its last line, but ${JSON.stringify(last)}` };
  if (leftovers.length > 0) return { problem: `left behind ${leftovers.join(", ")}` };
  return { ratio: Number(ratio) };
}

/**
 * One line of the report.
 *
 * @param {{ name: string, seconds: number, verdict: Verdict }} result
 */
export function describeSmoke({ name, seconds, verdict }) {
  const outcome = verdict.problem ?? `ratio ${verdict.ratio}`;
  return `${verdict.problem === undefined ? "ok    " : "FAILED"}  ${name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s  ${outcome}`;
}
