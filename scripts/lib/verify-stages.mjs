import { existsSync } from "node:fs";
import { inRoot, ROOT } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";
import { passOnTimes } from "./time-table.mjs";

/**
 * @typedef {{ title: string, args: readonly string[] }} Check What node runs, from the root of the repository.
 * @typedef {{ name: string, checks: readonly Check[] }} Stage
 */

const TSX = "node_modules/tsx/dist/cli.mjs";
const TSC = "node_modules/typescript/bin/tsc";
const BIOME = "node_modules/@biomejs/biome/bin/biome";
const OXLINT = "node_modules/oxlint/bin/oxlint";

/** Every generated file of the tree comes out of one of these; each knows `--check`. */
export const GENERATORS = [
  "contract/scripts/generate.ts",
  "drover/scripts/render-states.ts",
  "drover/scripts/dump-schema.ts",
  "drover/scripts/render-options.ts",
  "scripts/draw-layers.ts",
  "web/scripts/write-routes.ts",
];

/** @param {readonly string[]} flags */
const listGenerators = (...flags) =>
  GENERATORS.map((file) => ({ title: file, args: [TSX, "--conditions=drover-source", file, ...flags] }));

/** @type {Stage} */
export const GENERATE = { name: "generate", checks: listGenerators() };

/** What `npm run verify` holds beside the tests. @type {readonly Stage[]} */
export const STAGES = [
  { name: "format", checks: [{ title: "biome", args: [BIOME, "check", "--linter-enabled=false", "."] }] },
  {
    name: "types",
    checks: ["contract", "contract/scripts", "drover", "web", "scripts", "e2e"].map((folder) => ({
      title: folder,
      args: [TSC, "-p", folder],
    })),
  },
  {
    name: "lint",
    checks: [
      { title: "biome", args: [BIOME, "lint", "--error-on-warnings", "."] },
      { title: "oxlint", args: [OXLINT, "--type-aware", "--deny-warnings", "."] },
      { title: "rules", args: [TSX, "scripts/check-rules.ts"] },
    ],
  },
  { name: "web", checks: [{ title: "budget", args: ["scripts/check-web-budget.mjs"] }] },
  { name: "layers", checks: [{ title: "layers", args: [TSX, "scripts/check-layers.ts"] }] },
  { name: "generated", checks: listGenerators("--check") },
];

/**
 * Runs a stage to its end, whatever fails in it, and shows the output of what failed.
 *
 * @param {Stage} stage
 * @param {(text: string) => void} [write]
 * @returns {Promise<{ passed: number, failed: readonly string[] }>}
 */
export async function runStage(stage, write = (text) => process.stdout.write(text)) {
  const failed = [];
  const times = [];
  for (const check of stage.checks) {
    const started = performance.now();
    const complaint = await runCheck(check);
    times.push({ file: `${stage.name}/${check.title}`, loading: 0, running: performance.now() - started });
    if (complaint === undefined) continue;
    failed.push(`${stage.name}: ${check.title}`);
    write(`\n--- ${stage.name}: ${check.title} failed ---\n${complaint.trimEnd()}\n\n`);
  }
  passOnTimes(times);
  const seconds = (times.reduce((sum, { running }) => sum + running, 0) / 1_000).toFixed(1);
  write(`${failed.length === 0 ? "ok  " : "FAIL"} ${stage.name.padEnd(10)} ${seconds} s\n`);
  return { passed: stage.checks.length - failed.length, failed };
}

/**
 * @param {Check} check
 * @returns {Promise<string | undefined>} What went wrong.
 */
async function runCheck(check) {
  const program = check.args.find((arg) => /\.(mjs|ts)$/.test(arg) && !arg.startsWith("node_modules/"));
  if (program !== undefined && !existsSync(inRoot(program))) return `${program} is missing.`;
  const { code, output } = await runCommand(process.execPath, check.args, { cwd: ROOT, capture: true });
  return code === 0 ? undefined : `${output}\n(exit code ${code})`;
}
