import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withFileLock } from "./file-lock.mjs";
import { hashFiles } from "./hash-files.mjs";
import { inRoot, ROOT } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";

const STAMP = ".source-hash";

/**
 * @typedef {object} Unit
 * @property {string} name The workspace folder; its output is `<name>/dist`.
 * @property {readonly string[]} inputs
 * @property {(outDir: string) => readonly string[]} command What node runs to build into `outDir`.
 */

const TSC = "node_modules/typescript/bin/tsc";

/** In build order: each unit is rebuilt when one before it was. @type {readonly Unit[]} */
const UNITS = [
  {
    name: "contract",
    inputs: ["contract/src", "contract/package.json", "contract/tsconfig.build.json"],
    command: (outDir) => [inRoot(TSC), "-p", inRoot("contract/tsconfig.build.json"), "--outDir", outDir],
  },
  {
    name: "drover",
    inputs: ["drover/src", "drover/package.json", "drover/tsconfig.build.json"],
    command: (outDir) => [inRoot(TSC), "-p", inRoot("drover/tsconfig.build.json"), "--outDir", outDir],
  },
  {
    name: "web",
    inputs: [
      "web/build",
      "web/src",
      "web/public",
      "web/index.html",
      "web/package.json",
      "web/vite.config.ts",
      "web/tsconfig.json",
    ],
    command: (outDir) => [
      inRoot("node_modules/vite/bin/vite.js"),
      "build",
      inRoot("web"),
      "--outDir",
      outDir,
      "--emptyOutDir",
      "--logLevel=warn",
    ],
  },
];

const SHARED_INPUTS = ["package-lock.json", "tsconfig.base.json", "scripts/lib/ensure-build.mjs"];
const isTest = (/** @type {string} */ path) => /\.(test|conformance)\.tsx?$/.test(path);

/**
 * Builds what changed since the last build, judged by content. A build goes to a folder beside `dist` and is moved
 * into place when it is complete, so that a killed build leaves the old one as it was.
 *
 * @param {{ say?: (line: string) => void }} [options]
 */
export async function ensureBuild(options = {}) {
  const { say = (line) => process.stderr.write(`${line}\n`) } = options;
  if (listStale().length === 0) return;
  await withFileLock(
    inRoot(".cache/build.lock"),
    async (lock) => {
      for (const { unit, hash } of listStale()) {
        say(`Building ${unit.name} …`);
        await buildUnit(unit, hash, lock.share);
      }
    },
    { onWait: () => say("Another run is building here; waiting for it …") },
  );
}

function listStale() {
  let salt = "";
  const stale = [];
  for (const unit of UNITS) {
    const hash = hashFiles(ROOT, [...SHARED_INPUTS, ...unit.inputs], { skip: isTest, salt });
    if (readStamp(unit) !== hash) stale.push({ unit, hash });
    if (unit.name === "contract") salt = hash;
  }
  return stale;
}

/** @param {Unit} unit */
function readStamp(unit) {
  const stamp = inRoot(unit.name, "dist", STAMP);
  return existsSync(stamp) ? readFileSync(stamp, "utf8") : undefined;
}

/**
 * @param {Unit} unit
 * @param {string} hash
 * @param {(pid: number) => void} onStart
 */
async function buildUnit(unit, hash, onStart) {
  const dist = inRoot(unit.name, "dist");
  const next = `${dist}.next`;
  const old = `${dist}.old`;
  for (const path of [next, old]) rmSync(path, { recursive: true, force: true });
  // Whoever builds, also a test: what is built is what users get, not a page for development.
  const env = { ...process.env, NODE_ENV: "production" };
  const { code } = await runCommand(process.execPath, unit.command(next), { cwd: ROOT, env, onStart });
  if (code !== 0) throw new Error(`Building ${unit.name} failed with exit code ${code}. Its messages are above.`);
  writeFileSync(join(next, STAMP), hash);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(next, dist);
  rmSync(old, { recursive: true, force: true });
}
