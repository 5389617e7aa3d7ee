// npm run e2e: the suites of e2e/ that a change affects, and smoke tests of others; npm run e2e:all: everything.
// `npm run e2e -- <suite> …` runs the named ones, `--repeat N` all of it so many times.
import { requireNode } from "./lib/node-version.mjs";

requireNode();
const { readFileSync } = await import("node:fs");
const { relative } = await import("node:path");
const { inRoot, ROOT } = await import("./lib/paths.mjs");
const { endWithMessage } = await import("./lib/end-with-message.mjs");
const { addCounts, closeWithCounts, formatCounts } = await import("./lib/count-tests.mjs");
const { ensureBuild } = await import("./lib/ensure-build.mjs");
const { ensureInstall } = await import("./lib/ensure-install.mjs");
const { pickSuites, readSuites } = await import("./lib/pick-suites.mjs");
const { readRepeat, repeatRuns } = await import("./lib/repeat-runs.mjs");
const { runLanes } = await import("./lib/run-lanes.mjs");
const { runSuite } = await import("./lib/run-suite.mjs");
const { formatTimes, passOnTimes } = await import("./lib/time-table.mjs");

const say = (/** @type {string} */ text) => void process.stdout.write(text);
const began = performance.now();
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => stopping.abort(new Error("Interrupted; the suites that were left did not run.")));
}
const clock = () => `${((performance.now() - began) / 1_000).toFixed(0)} s`;

/**
 * @param {readonly import("./lib/pick-suites.mjs").PickedSuite[]} suites
 * @returns {Promise<import("./lib/count-tests.mjs").Counts>}
 */
async function runSuites(suites) {
  const started = performance.now();
  const isAlone = new Set(suites.map(({ lane }) => lane)).size <= 1;
  const results = await runLanes(suites, {
    run: async (suite) => ({ suite, ...(await (isAlone ? runAloud(suite) : runQuietly(suite))) }),
    signal: stopping.signal,
    onWait: (running) => {
      if (!isAlone) say(`${clock()}: still running: ${running.map(({ name }) => name).join(", ")}\n`);
    },
  });
  const times = results.flatMap((result) => result.times);
  passOnTimes(times);
  say(`\n--- all suites ---\n${formatTimes(times, { wallMs: performance.now() - started, mostFiles: 100 })}\n`);
  for (const { suite, counts, ms } of results) {
    say(`${(ms / 1_000).toFixed(1).padStart(8)} s  ${suite.name}, in lane ${suite.lane}: ${formatCounts(counts)}\n`);
  }
  return addCounts(...results.map(({ counts }) => counts));
}

/** @param {import("./lib/pick-suites.mjs").PickedSuite} suite */
async function runAloud(suite) {
  say(`\n--- ${describe(suite)} ---\n`);
  return await timed(() => runSuite(suite));
}

/**
 * What it says is shown in one piece when it has ended; until then it is in a file.
 *
 * @param {import("./lib/pick-suites.mjs").PickedSuite} suite
 */
async function runQuietly(suite) {
  const logFile = inRoot(".cache/e2e", `${suite.name}.log`);
  say(`${clock()}: ${suite.name} begins in lane ${suite.lane}; ${relative(ROOT, logFile)} has what it says\n`);
  const result = await timed(() => runSuite(suite, { logFile }));
  say(`\n--- ${describe(suite)} ---\n${readFileSync(logFile, "utf8")}\n${clock()}: ${suite.name} has ended\n`);
  return result;
}

/** @param {import("./lib/pick-suites.mjs").PickedSuite} suite */
const describe = ({ paths, leftOut }) =>
  `${paths.join(" ")}${leftOut.length > 0 ? `, ${leftOut.length} files left to npm run e2e:all` : ""}`;

/** @param {() => Promise<import("./lib/run-suite.mjs").SuiteResult>} run */
async function timed(run) {
  const from = performance.now();
  const result = await run();
  return { ...result, ms: performance.now() - from };
}

try {
  const { times, rest } = readRepeat(process.argv.slice(2));
  // Suites that have more to show than every change needs ask for this.
  if (rest.includes("--all")) process.env.DROVER_E2E_ALL = "1";
  const suites = await pickSuites(readSuites(), rest);
  await ensureInstall(ROOT);
  await ensureInstall(inRoot("e2e"));
  // Once for all: suites that run side by side would wait for each other.
  await ensureBuild();
  closeWithCounts(await repeatRuns(times, () => runSuites(suites)));
} catch (error) {
  endWithMessage(error);
}
