// npm run generate: writes every generated file of the tree anew.
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { ROOT } = await import("./lib/paths.mjs");
const { endWithMessage } = await import("./lib/end-with-message.mjs");
const { ensureInstall } = await import("./lib/ensure-install.mjs");
const { GENERATE, runStage } = await import("./lib/verify-stages.mjs");

try {
  await ensureInstall(ROOT);
  const { failed } = await runStage(GENERATE);
  process.exitCode = failed.length > 0 ? 1 : 0;
} catch (error) {
  endWithMessage(error);
}
