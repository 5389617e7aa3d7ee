// npm run sim: plays simulated worlds. `--seeds N --start S` plays N of them from S on, `--seed S` shows one.
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { ROOT } = await import("./lib/paths.mjs");
const { runCommand } = await import("./lib/run-command.mjs");
const parameters = ["--conditions=drover-source", "--import=tsx", "drover/scripts/sim.ts", ...process.argv.slice(2)];
process.exitCode = (await runCommand(process.execPath, parameters, { cwd: ROOT })).code;
