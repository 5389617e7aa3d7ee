import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";

/**
 * The file in which `.ci/run` keeps the commits that passed whole on this machine: one id per line.
 *
 * @param {NodeJS.ProcessEnv} [environment]
 */
export function locatePassedCommits(environment = process.env) {
  return join(environment.XDG_CACHE_HOME || join(homedir(), ".cache"), "drover-ci", "passed");
}

/**
 * The commit that changes are counted from: the one that `--since` names, else the newest ancestor that passed CI whole
 * on this machine. The current commit does not count as one: CI that runs again on it runs the same again.
 *
 * @param {readonly string[]} args
 * @param {{ passedFile?: string, listAncestors?: () => Promise<readonly string[]> }} [options]
 * @returns {Promise<string | undefined>} Nothing where there is none: then everything counts as changed.
 */
export async function findBase(args, options = {}) {
  const at = args.indexOf("--since");
  if (at !== -1) {
    const since = args[at + 1];
    if (!since) throw new Error("--since takes a commit, as in --since v1.2.");
    return since;
  }
  const { passedFile = locatePassedCommits(), listAncestors = listAncestorsOfHead } = options;
  if (!existsSync(passedFile)) return undefined;
  const passed = new Set(readFileSync(passedFile, "utf8").split("\n"));
  return (await listAncestors()).find((commit) => passed.has(commit));
}

/** Newest first, without the current commit. */
async function listAncestorsOfHead() {
  const output = await askGit("rev-list", "--topo-order", "--skip=1", "HEAD");
  return splitLines(output ?? "");
}

/**
 * Files that differ from a commit, those of the working tree included.
 *
 * @param {string | undefined} base
 * @returns {Promise<readonly string[] | undefined>} Nothing where it cannot be told.
 */
export async function listChangedFiles(base) {
  if (base === undefined) return undefined;
  // Both names of a file that moved.
  const committed = await askGit("diff", "--name-only", "--no-renames", "--end-of-options", base, "--");
  const fresh = await askGit("ls-files", "--others", "--exclude-standard");
  return committed === undefined || fresh === undefined ? undefined : splitLines(`${committed}\n${fresh}`);
}

/** @param {string} text */
const splitLines = (text) => text.split("\n").filter((line) => line !== "");

/** @param {readonly string[]} args */
async function askGit(...args) {
  try {
    const { code, output } = await runCommand("git", args, { cwd: ROOT, capture: true });
    return code === 0 ? output : undefined;
  } catch {
    return undefined; // there is no git
  }
}
