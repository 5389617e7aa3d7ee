import { readFileSync } from "node:fs";
import { findBase, listChangedFiles } from "./find-base.mjs";
import { nameArea } from "./name-areas.mjs";
import { inRoot } from "./paths.mjs";

/**
 * @typedef {object} Suite
 * @property {string} name Also its folder in e2e/.
 * @property {string} lane Suites of different lanes run side by side, those of one lane one after the other.
 * @property {boolean} [always] Its smoke test runs even when nothing of the product changed.
 * @property {readonly string[]} smoke Those of its files that run when the product changed and nothing affects it.
 * @property {readonly string[]} [onlyInAll] Those of its files that only `--all` runs: sweeps and variations.
 * @property {readonly string[]} affectedBy Files and folders; a change below one of them makes the suite run.
 * @property {number} [atOnce] How many of its files run side by side; one where it is left out.
 * @property {readonly string[]} [needs] Environment variables without which it cannot run.
 *
 * @typedef {object} Suites
 * @property {readonly string[]} allAffectedBy What makes every suite run.
 * @property {readonly Suite[]} suites
 *
 * @typedef {Suite & { readonly paths: readonly string[], readonly leftOut: readonly string[] }} PickedSuite With what is
 *   to run of it: what is below these paths, without those that are left out.
 */

/** @returns {Suites} */
export function readSuites() {
  return JSON.parse(readFileSync(inRoot("e2e/suites.json"), "utf8"));
}

/**
 * What a command line asks for: the suites that it names, else those that a change affects and smoke tests of others.
 * With `--all` every suite that was not left out by name, with all of its files.
 *
 * @param {Suites} all
 * @param {readonly string[]} args
 * @param {(args: readonly string[]) => Promise<readonly string[] | undefined>} [listChanged]
 * @returns {Promise<readonly PickedSuite[]>}
 */
export async function pickSuites(all, args, listChanged = listChangedSinceBase) {
  const { suites } = all;
  const names = readNames(args);
  const unknown = names.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown !== undefined) {
    throw new Error(`There is no suite "${unknown}". Must be one of: ${suites.map(({ name }) => name).join(", ")}.`);
  }
  const named = names.length > 0 ? suites.filter(({ name }) => names.includes(name)) : suites;
  if (args.includes("--all")) return named.map(takeAll);
  if (names.length > 0) return named.map(takeWhole);
  const changed = await listChanged(args);
  return changed === undefined ? suites.map(takeWhole) : pickAffected(all, changed);
}

/** @param {readonly string[]} args */
function readNames(args) {
  const flag = args.find((arg) => arg.startsWith("--") && !["--all", "--since"].includes(arg));
  if (flag !== undefined) throw new Error(`There is no option ${flag}. Must be one of: --all, --since, --repeat.`);
  return args.filter((arg, at) => !arg.startsWith("--") && args[at - 1] !== "--since");
}

/** @param {readonly string[]} args */
const listChangedSinceBase = async (args) => await listChangedFiles(await findBase(args));

/**
 * A file of the product that no suite names could break any of them, so all of them run.
 *
 * @param {Suites} all
 * @param {readonly string[]} changed
 * @returns {readonly PickedSuite[]}
 */
function pickAffected({ allAffectedBy, suites }, changed) {
  // A test of a unit runs in no suite, wherever it stands.
  const counting = changed.filter((file) => file.startsWith("e2e/") || !/\.test\.tsx?$/.test(file));
  const ofProduct = counting.filter((file) => nameArea(file) === "product");
  const isKnown = (/** @type {string} */ file) => suites.some(({ affectedBy }) => isBelow(affectedBy, file));
  if (!ofProduct.every(isKnown)) return suites.map(takeWhole);
  return suites.flatMap((suite) => {
    const causes = [...allAffectedBy, `e2e/${suite.name}`, ...suite.affectedBy];
    if (counting.some((file) => isBelow(causes, file))) return [takeWhole(suite)];
    return ofProduct.length > 0 || suite.always ? [takeSmoke(suite)] : [];
  });
}

/** @param {Suite} suite */
const takeAll = (suite) => ({ ...suite, paths: [`e2e/${suite.name}/`], leftOut: [] });

/** @param {Suite} suite */
const takeWhole = (suite) => ({ ...takeAll(suite), leftOut: nameFiles(suite, suite.onlyInAll ?? []) });

/** @param {Suite} suite */
const takeSmoke = (suite) => ({ ...suite, paths: nameFiles(suite, suite.smoke), leftOut: [] });

/**
 * @param {Suite} suite
 * @param {readonly string[]} files
 */
const nameFiles = ({ name }, files) => files.map((file) => `e2e/${name}/${file}`);

/**
 * @param {readonly string[]} paths
 * @param {string} file
 */
const isBelow = (paths, file) => paths.some((path) => file === path || file.startsWith(`${path}/`));
