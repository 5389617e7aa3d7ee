// npm run bench:smoke: every program of bench/ at its smallest size, against its peer. `-- <name> …` runs the named ones.
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } = await import("node:fs");
const { tmpdir } = await import("node:os");
const { join } = await import("node:path");
const { inRoot, ROOT } = await import("./lib/paths.mjs");
const { describeSmoke, judgeSmoke, listBenchmarks, pickBenchmarks, readSmokes } = await import(
  "./lib/bench-smokes.mjs"
);
const { closeWithCounts } = await import("./lib/count-tests.mjs");
const { endWithMessage } = await import("./lib/end-with-message.mjs");
const { ensureBuild } = await import("./lib/ensure-build.mjs");
const { ensureInstall } = await import("./lib/ensure-install.mjs");
const { runWithin } = await import("./lib/run-within.mjs");

const BENCH = inRoot("bench");
/** Most of them wait for something most of the time. */
const AT_ONCE = 2;
const LIMITS = { limitMs: 600_000, graceMs: 60_000 };
const LINES_OF_A_FAILURE = 60;

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stopping.abort());

/**
 * @param {import("./lib/bench-smokes.mjs").Picked} picked
 * @param {string} folder Where it makes its folders: whatever is still there at its end was left behind.
 */
async function runSmoke({ name, needs }, folder) {
  const begin = performance.now();
  const missing = needs.filter((variable) => !process.env[variable]);
  if (missing.length > 0) {
    const problem = `cannot run without ${missing.join(", ")}; e2e/README.md says what to set`;
    return { name, seconds: 0, verdict: { problem }, output: "" };
  }
  const env = { ...process.env, TMPDIR: makeOpenFolder(join(folder, name)) };
  const run = { cwd: ROOT, env, ...LIMITS, signal: stopping.signal };
  const ended = await runWithin(process.execPath, [join(BENCH, `${name}.mjs`), "--smoke"], run);
  const leftovers = readdirSync(env.TMPDIR).filter((entry) => entry.startsWith("drover-bench-"));
  const seconds = (performance.now() - begin) / 1_000;
  return { name, seconds, verdict: judgeSmoke({ ...ended, leftovers }), output: `${ended.stdout}${ended.stderr}` };
}

/** Servers that run as a user of their own have to get through it. @param {string} folder */
function makeOpenFolder(folder) {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  return folder;
}

/** @param {Awaited<ReturnType<typeof runSmoke>>} result */
function tell(result) {
  process.stdout.write(`${describeSmoke(result)}\n`);
  if (result.verdict.problem === undefined || result.output === "") return;
  const lines = result.output.trimEnd().split("\n").slice(-LINES_OF_A_FAILURE);
  process.stdout.write(`${lines.map((line) => `        ${line}`).join("\n")}\n`);
}

/** @param {readonly import("./lib/bench-smokes.mjs").Picked[]} picked */
async function runAll(picked) {
  // Short: the paths of sockets in it may have about a hundred characters.
  const folder = makeOpenFolder(mkdtempSync(join(tmpdir(), "smoke-")));
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const waiting = [...picked];
  const takeTurns = async () => {
    for (let next = waiting.shift(); next !== undefined && !stopping.signal.aborted; next = waiting.shift()) {
      const result = await runSmoke(next, folder);
      tell(result);
      counts[result.verdict.problem === undefined ? "passed" : "failed"] += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  if (stopping.signal.aborted) throw new Error("Interrupted.");
  return counts;
}

try {
  const picked = pickBenchmarks(listBenchmarks(BENCH), readSmokes(BENCH), process.argv.slice(2));
  await ensureInstall(ROOT);
  await ensureInstall(BENCH);
  await ensureBuild();
  const begin = performance.now();
  const counts = await runAll(picked);
  process.stdout.write(`All together in ${((performance.now() - begin) / 1_000).toFixed(0)} s.\n`);
  closeWithCounts(counts);
} catch (error) {
  endWithMessage(error);
}
