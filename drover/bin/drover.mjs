#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Drover needs Node.js 20.19 or newer, and this is ${process.versions.node}: install a newer one.\n`,
  );
  process.exit(1);
}
const { runMain } = await import(/** @type {string} */ ("../dist/main/cli.js"));
await runMain(process.argv.slice(2));
