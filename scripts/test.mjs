// npm test: installs what is missing, runs every test that needs nothing but Node.js, and closes with a line that
// counts them. `--node 24` runs them on the Node.js 24 that e2e/ brings, `--node <file>` on any other.
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { ROOT } = await import("./lib/paths.mjs");
const { endWithMessage } = await import("./lib/end-with-message.mjs");
const { closeWithCounts } = await import("./lib/count-tests.mjs");
const { ensureInstall } = await import("./lib/ensure-install.mjs");
const { locateNode } = await import("./lib/locate-node.mjs");
const { runVitest } = await import("./lib/run-vitest.mjs");

try {
  await ensureInstall(ROOT);
  const { node, rest } = await locateNode(process.argv.slice(2));
  closeWithCounts(await runVitest(rest, { node }));
} catch (error) {
  endWithMessage(error);
}
