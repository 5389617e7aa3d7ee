// npm test: installs what is missing, runs every test that needs nothing but Node.js, and closes with a line that
// counts them. `--node 24` runs them on the Node.js 24 that e2e/ brings, `--node <file>` on any other; `--repeat N` runs
// them N times, `--runtime` only those that depend on the Node.js that runs them.
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { ROOT } = await import("./lib/paths.mjs");
const { endWithMessage } = await import("./lib/end-with-message.mjs");
const { closeWithCounts } = await import("./lib/count-tests.mjs");
const { ensureInstall } = await import("./lib/ensure-install.mjs");
const { locateNode } = await import("./lib/locate-node.mjs");
const { readRepeat, repeatRuns } = await import("./lib/repeat-runs.mjs");
const { expandRuntime } = await import("./lib/runtime-tests.mjs");
const { runVitest } = await import("./lib/run-vitest.mjs");

try {
  await ensureInstall(ROOT);
  const { times, rest: args } = readRepeat(process.argv.slice(2));
  const { node, rest } = await locateNode(args);
  closeWithCounts(await repeatRuns(times, () => runVitest(expandRuntime(rest), { node, inMemory: true })));
} catch (error) {
  endWithMessage(error);
}
