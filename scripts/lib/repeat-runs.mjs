import { addCounts, formatCounts } from "./count-tests.mjs";

/**
 * Takes `--repeat N` out of the arguments.
 *
 * @param {readonly string[]} args
 * @returns {{ times: number, rest: string[] }}
 */
export function readRepeat(args) {
  const at = args.indexOf("--repeat");
  if (at === -1) return { times: 1, rest: [...args] };
  const times = Number(args[at + 1]);
  if (!Number.isInteger(times) || times < 1) throw new Error("--repeat takes the number of runs, as in --repeat 10.");
  return { times, rest: args.toSpliced(at, 2) };
}

/**
 * Runs something that many times, whatever fails, says how each run ended, and adds the counts up. A test that fails in
 * one run of many fails all of it.
 *
 * @param {number} times
 * @param {() => Promise<import("./count-tests.mjs").Counts>} run
 * @param {(text: string) => void} [write]
 */
export async function repeatRuns(times, run, write = (text) => process.stdout.write(text)) {
  const runs = [];
  for (let turn = 1; turn <= times; turn++) {
    if (times > 1) write(`\n--- run ${turn} of ${times} ---\n`);
    const began = performance.now();
    const counts = await run();
    runs.push({ counts, seconds: (performance.now() - began) / 1_000 });
  }
  if (times > 1) {
    for (const [index, { counts, seconds }] of runs.entries()) {
      write(`run ${index + 1}: ${formatCounts(counts)}, ${seconds.toFixed(0)} s\n`);
    }
  }
  return addCounts(...runs.map(({ counts }) => counts));
}
