// npm start: installs and builds what is missing or out of date, then runs Drover in this very process, so that
// signals and the exit code need no forwarding.
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { inRoot, ROOT } = await import("./lib/paths.mjs");
const { endWithMessage } = await import("./lib/end-with-message.mjs");
const { ensureInstall } = await import("./lib/ensure-install.mjs");
const { ensureBuild } = await import("./lib/ensure-build.mjs");

try {
  await ensureInstall(ROOT);
  await ensureBuild();
} catch (error) {
  endWithMessage(error);
}
// A clone keeps its data inside itself: trying it out must not touch the data of an installed Drover.
process.env.DROVER_DATA_DIR ??= inRoot("data");
process.argv = [process.execPath, inRoot("drover/bin/drover.mjs"), "up", ...process.argv.slice(2)];
await import(/** @type {string} */ ("../drover/bin/drover.mjs"));
