// npm run build: installs and builds what is missing or out of date.
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { ROOT } = await import("./lib/paths.mjs");
const { endWithMessage } = await import("./lib/end-with-message.mjs");
const { ensureInstall } = await import("./lib/ensure-install.mjs");
const { ensureBuild } = await import("./lib/ensure-build.mjs");

try {
  await ensureInstall(ROOT);
  await ensureBuild();
} catch (error) {
  endWithMessage(error);
}
