#!/usr/bin/env node
import { existsSync } from "node:fs";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isOld = major < 20 || (major === 20 && minor < 19);
const isBuilt = existsSync(new URL("../dist/.source-hash", import.meta.url));

if (isOld) refuse(`Drover needs Node.js 20.19 or newer, and this is ${process.versions.node}: install a newer one.`);
else if (!isBuilt) refuse("Drover is not built here yet: run `npm run build` first, or `npm start`.");
else {
  const { runMain } = await import(/** @type {string} */ ("../dist/main/cli.js"));
  await runMain(process.argv.slice(2));
}

/** @param {string} sentence */
function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
