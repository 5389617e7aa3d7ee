import { readFileSync } from "node:fs";
import { inRoot, ROOT } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";

/**
 * @typedef {object} Suite
 * @property {string} name Also its folder in e2e/.
 * @property {readonly string[]} smoke Those of its files that run even when nothing affects it.
 * @property {readonly string[]} affectedBy Files and folders; a change below one of them makes all of the suite run.
 * @property {readonly string[]} [needs] Environment variables without which it cannot run.
 *
 * @typedef {object} Suites
 * @property {readonly string[]} allAffectedBy What makes every suite run.
 * @property {readonly Suite[]} suites
 *
 * @typedef {Suite & { readonly paths: readonly string[] }} PickedSuite With what is to run of it.
 */

/** How far back `npm run e2e` looks for changes. */
const LAST_COMMITS = "HEAD~20";

/** @returns {Suites} */
export function readSuites() {
  return JSON.parse(readFileSync(inRoot("e2e/suites.json"), "utf8"));
}

/**
 * What a command line asks for: the suites that it names, all of them with `--all`, else those that the last commits
 * (`--since <commit>`) or the working tree touched, and the smoke tests of the others.
 *
 * @param {Suites} all
 * @param {readonly string[]} args
 * @param {(since: string) => Promise<readonly string[] | undefined>} [listChanged]
 * @returns {Promise<readonly PickedSuite[]>}
 */
export async function pickSuites({ allAffectedBy, suites }, args, listChanged = listChangedFiles) {
  const at = args.indexOf("--since");
  const since = at === -1 ? LAST_COMMITS : (args[at + 1] ?? "");
  const names = args.filter((arg, index) => !arg.startsWith("--") && (at === -1 || index !== at + 1));
  const unknown = names.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown !== undefined) {
    throw new Error(`There is no suite "${unknown}". Must be one of: ${suites.map(({ name }) => name).join(", ")}.`);
  }
  if (names.length > 0) return suites.filter(({ name }) => names.includes(name)).map(takeWhole);
  if (args.includes("--all")) return suites.map(takeWhole);
  const changed = await listChanged(since);
  if (changed === undefined) return suites.map(takeWhole);
  return suites.map((suite) => {
    const causes = [...allAffectedBy, `e2e/${suite.name}`, ...suite.affectedBy];
    return changed.some((file) => isBelow(causes, file)) ? takeWhole(suite) : takeSmoke(suite);
  });
}

/** @param {Suite} suite */
const takeWhole = (suite) => ({ ...suite, paths: [`e2e/${suite.name}/`] });

/** @param {Suite} suite */
const takeSmoke = (suite) => ({ ...suite, paths: suite.smoke.map((file) => `e2e/${suite.name}/${file}`) });

/**
 * @param {readonly string[]} paths
 * @param {string} file
 */
const isBelow = (paths, file) => paths.some((path) => file === path || file.startsWith(`${path}/`));

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
