import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { StoreNursery } from "../test/simulation/open-simulation-store.ts";
import { runSeed } from "../test/simulation/run-seed.ts";

/** Plays many seeds, or one with everything that happens in it; exits with 1 when an invariant was broken. */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    start: { type: "string", default: "1" },
    seed: { type: "string" },
    "until-failures": { type: "string", default: "10" },
    /** How many processes share the seeds, each with a stretch of its own. */
    jobs: { type: "string", default: "1" },
  },
});
const TELL_EVERY = 500;

if (values.seed !== undefined) process.exitCode = await withNursery((nursery) => playOne(nursery, Number(values.seed)));
else if (values.jobs === "1") process.exitCode = await withNursery(playMany);
else process.exitCode = await playSideBySide(Number(values.jobs));

async function withNursery(play: (nursery: StoreNursery) => Promise<number>): Promise<number> {
  const nursery = new StoreNursery();
  try {
    return await play(nursery);
  } finally {
    nursery.dispose();
  }
}

async function playOne(nursery: StoreNursery, seed: number): Promise<number> {
  const first = await runSeed(nursery, seed, true);
  const second = await runSeed(nursery, seed, true);
  for (const line of first.trace) console.log(line);
  console.log(`seed ${seed}: ${Math.round(first.simulatedMs / 1_000)} s simulated, ${first.trace.length} lines`);
  const longer = first.trace.length > second.trace.length ? first.trace : second.trace;
  const differing = longer.findIndex((_, index) => first.trace[index] !== second.trace[index]);
  if (differing >= 0) console.log(`NOT DETERMINISTIC: the second run differs from line ${differing + 1} on`);
  for (const violation of first.violations) console.log(`BROKEN  ${violation}`);
  return first.violations.length > 0 || differing >= 0 ? 1 : 0;
}

async function playMany(nursery: StoreNursery): Promise<number> {
  const [start, count, most] = [Number(values.start), Number(values.seeds), Number(values["until-failures"])];
  const began = performance.now();
  const failed: number[] = [];
  let played = 0;
  for (let seed = start; seed < start + count && failed.length < most; seed++) {
    const { violations } = await runSeed(nursery, seed);
    played += 1;
    if (violations.length > 0) {
      failed.push(seed);
      console.log(`seed ${seed}\n  ${violations.slice(0, 5).join("\n  ")}`);
    }
    if (played % TELL_EVERY === 0 && played < count) console.log(`… up to seed ${seed}: ${failed.length} failed`);
  }
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${played} seeds in ${seconds.toFixed(1)} s (${(played / seconds).toFixed(1)} a second).`);
  console.log(failed.length === 0 ? "No invariant was broken." : `Broken by: ${failed.join(", ")}`);
  return failed.length === 0 ? 0 : 1;
}

async function playSideBySide(jobs: number): Promise<number> {
  const [start, count] = [Number(values.start), Number(values.seeds)];
  const each = Math.ceil(count / jobs);
  const codes = Array.from({ length: jobs }, (_, job) => {
    const from = start + job * each;
    const stretch = ["--start", String(from), "--seeds", String(Math.max(0, Math.min(each, start + count - from)))];
    const limit = ["--until-failures", values["until-failures"]];
    const child = fork(fileURLToPath(import.meta.url), [...stretch, ...limit]);
    return new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
  });
  const failed = (await Promise.all(codes)).some((code) => code !== 0);
  console.log(failed ? "Invariants were broken, see above." : `No invariant was broken by any of ${count} seeds.`);
  return failed ? 1 : 0;
}
