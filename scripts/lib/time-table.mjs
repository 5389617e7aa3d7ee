import { appendFileSync } from "node:fs";

/**
 * @typedef {object} FileTime How long one file of tests (or one check, or one benchmark) took, in milliseconds.
 * @property {string} file
 * @property {number} loading Importing the file and what it needs.
 * @property {number} running Its tests and hooks.
 * @property {string} [stage] Which part of a larger run it belongs to.
 */

/** How many files a table names; the others are summed up. */
const MOST_FILES = 30;

/**
 * A table of where the time of a run went: by suite, then by file, the slowest first. Files that run side by side add
 * up to more than the run took.
 *
 * @param {readonly FileTime[]} times
 * @param {{ wallMs?: number, mostFiles?: number }} [options]
 * @returns {string}
 */
export function formatTimes(times, options = {}) {
  const { wallMs, mostFiles = MOST_FILES } = options;
  const suites = [...groupBySuite(times)].map(([suite, files]) => ({
    name: suite,
    ...sumUp(files),
    count: files.length,
  }));
  const files = times.toSorted((a, b) => totalOf(b) - totalOf(a));
  const others = files.slice(mostFiles);
  const all = sumUp(times);
  const took = wallMs === undefined ? "" : ` in ${seconds(wallMs)} s`;
  return [
    `Where the time went: ${seconds(totalOf(all))} s of files${took}, ${seconds(all.loading)} s of it loading`,
    ...suites.toSorted((a, b) => totalOf(b) - totalOf(a)).map((suite) => formatRow(suite, `${suite.count} files`)),
    "by file:",
    ...files.slice(0, mostFiles).map((one) => formatRow({ ...one, name: nameWithStage(one, one.file) })),
    ...(others.length > 0 ? [formatRow({ ...sumUp(others), name: `${others.length} others` })] : []),
    "",
  ].join("\n");
}

/**
 * Hands the times to the program that started this one, where that asked for them (`.ci/run` shows them all at its end).
 *
 * @param {readonly FileTime[]} times
 * @param {NodeJS.ProcessEnv} [environment]
 */
export function passOnTimes(times, environment = process.env) {
  const target = environment.DROVER_TIMES_FILE;
  if (target) appendFileSync(target, times.map((one) => `${JSON.stringify(one)}\n`).join(""));
}

/** @param {readonly FileTime[]} times */
function groupBySuite(times) {
  /** @type {Map<string, FileTime[]>} */
  const suites = new Map();
  for (const one of times) {
    const suite = nameWithStage(one, nameSuite(one.file));
    suites.set(suite, [...(suites.get(suite) ?? []), one]);
  }
  return suites;
}

/**
 * The folder that a reader thinks of: `e2e/ssh`, `drover/src/store`, `web/src`.
 *
 * @param {string} file
 */
function nameSuite(file) {
  const parts = file.split("/").slice(0, -1);
  const depth = parts[0] === "drover" && parts[1] === "src" ? 3 : 2;
  return parts.slice(0, depth).join("/") || file;
}

/**
 * @param {FileTime} time
 * @param {string} name
 */
const nameWithStage = ({ stage }, name) => (stage === undefined ? name : `${stage}: ${name}`);

/** @param {readonly FileTime[]} times */
function sumUp(times) {
  return times.reduce(
    (sum, { loading, running }) => ({ loading: sum.loading + loading, running: sum.running + running }),
    { loading: 0, running: 0 },
  );
}

/** @param {{ loading: number, running: number }} time */
const totalOf = ({ loading, running }) => loading + running;

/** @param {number} ms */
const seconds = (ms) => (ms / 1_000).toFixed(1);

/**
 * @param {{ name: string, loading: number, running: number }} row
 * @param {string} [remark]
 */
function formatRow(row, remark = "") {
  const loading = row.loading < 100 ? "" : `(loading ${seconds(row.loading)})`;
  return `${seconds(totalOf(row)).padStart(8)} s  ${row.name}  ${[remark, loading].filter((part) => part !== "").join(" ")}`.trimEnd();
}
