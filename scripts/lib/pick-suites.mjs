import { readFileSync } from "node:fs";
import { inRoot, ROOT } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";

/**
 * @typedef {object} Suite
 * @property {string} name Also its folder in e2e/.
 * @property {boolean} [smoke] Runs always.
 * @property {readonly string[]} affectedBy Files and folders; a change below one of them makes the suite run.
 * @property {readonly string[]} [needs] Environment variables without which it cannot run.
 */

/** @returns {readonly Suite[]} */
export function readSuites() {
  return JSON.parse(readFileSync(inRoot("e2e/suites.json"), "utf8")).suites;
}

/**
 * Which suites a command line asks for: those it names, all of them with `--all`, else the smoke test and those that
 * the last commits (`--since <commit>`) or the working tree touched.
 *
 * @param {readonly Suite[]} suites
 * @param {readonly string[]} args
 * @param {(since: string) => Promise<readonly string[] | undefined>} [listChanged]
 * @returns {Promise<readonly Suite[]>}
 */
export async function pickSuites(suites, args, listChanged = listChangedFiles) {
  const at = args.indexOf("--since");
  const since = at === -1 ? "HEAD~5" : (args[at + 1] ?? "");
  const names = args.filter((arg, index) => !arg.startsWith("--") && (at === -1 || index !== at + 1));
  const unknown = names.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown !== undefined) {
    throw new Error(`There is no suite "${unknown}". Must be one of: ${suites.map(({ name }) => name).join(", ")}.`);
  }
  if (names.length > 0) return suites.filter(({ name }) => names.includes(name));
  if (args.includes("--all")) return suites;
  const changed = await listChanged(since);
  if (changed === undefined) return suites;
  return suites.filter((suite) => suite.smoke || changed.some((file) => isAffected(suite, file)));
}

/**
 * @param {Suite} suite
 * @param {string} file
 */
function isAffected({ name, affectedBy }, file) {
  return [`e2e/${name}`, ...affectedBy].some((path) => file === path || file.startsWith(`${path}/`));
}

/**
 * @param {string} since
 * @returns {Promise<readonly string[] | undefined>} Nothing where git cannot tell.
 */
async function listChangedFiles(since) {
  const options = { cwd: ROOT, capture: true };
  try {
    const committed = await runCommand("git", ["diff", "--name-only", "--end-of-options", since, "--"], options);
    const fresh = await runCommand("git", ["ls-files", "--others", "--exclude-standard"], options);
    if (committed.code !== 0 || fresh.code !== 0) return undefined;
    return `${committed.output}\n${fresh.output}`.split("\n").filter((line) => line !== "");
  } catch {
    return undefined;
  }
}
