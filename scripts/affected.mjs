// node scripts/affected.mjs [--since <commit>]: the areas of the repository that changed since a commit, or since the
// last one that passed CI on this machine; one word per line, all of them where that is not known. With --needs: the
// variables of the environment without which `npm run e2e` cannot run what it would run now.
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { endWithMessage } = await import("./lib/end-with-message.mjs");
const { findBase, listChangedFiles } = await import("./lib/find-base.mjs");
const { nameAreas } = await import("./lib/name-areas.mjs");
const { pickSuites, readSuites } = await import("./lib/pick-suites.mjs");

/** @param {readonly string[]} args */
async function listNeeds(args) {
  const suites = await pickSuites(readSuites(), args);
  return [...new Set(suites.flatMap(({ needs = [] }) => needs))].sort();
}

try {
  const args = process.argv.slice(2);
  const rest = args.filter((arg) => arg !== "--needs");
  const words =
    rest.length < args.length ? await listNeeds(rest) : nameAreas(await listChangedFiles(await findBase(rest)));
  process.stdout.write(words.map((word) => `${word}\n`).join(""));
} catch (error) {
  endWithMessage(error);
}
