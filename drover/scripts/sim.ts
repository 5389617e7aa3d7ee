import { fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { drawStart } from "../test/simulation/draw-start.ts";
import { StoreNursery } from "../test/simulation/open-simulation-store.ts";
import { runSeed } from "../test/simulation/run-seed.ts";
import { STORIES, type Story } from "../test/simulation/story.ts";

/**
 * Plays many seeds, or one with everything that happens in it. Ends with the line `N passed, M failed`, and with 1 when
 * an invariant was broken.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    /** Left out: a new one each time, which is printed. */
    start: { type: "string" },
    seed: { type: "string" },
    story: { type: "string", default: "swarm" },
    "until-failures": { type: "string", default: "10" },
    /** How many processes share the seeds, each with a stretch of its own. */
    jobs: { type: "string", default: "1" },
  },
});
const TELL_EVERY = 100;
/** What a killed worker waited for is never let go of, so a process that plays on and on becomes large and slow. */
const SEEDS_OF_A_PROCESS = 500;

interface Tally {
  readonly played: number;
  readonly failed: readonly number[];
}

const story = readStory(values.story);
if (values.seed !== undefined) process.exitCode = await withNursery((nursery) => playOne(nursery, Number(values.seed)));
else if (process.send !== undefined) process.send(await withNursery((nursery) => playMany(nursery, readStart())));
else process.exitCode = await playAll();

function readStory(name: string): Story {
  const known = STORIES.find((one) => one === name);
  if (known === undefined) throw new RangeError(`There is no story "${name}": ${STORIES.join(" or ")}.`);
  return known;
}

function readStart(): number {
  const start = values.start === undefined ? drawStart(randomInt) : Number(values.start);
  if (!Number.isSafeInteger(start) || start < 0) throw new RangeError(`--start ${values.start} is not a seed.`);
  return start;
}

async function withNursery<T>(play: (nursery: StoreNursery) => Promise<T>): Promise<T> {
  const nursery = new StoreNursery();
  try {
    return await play(nursery);
  } finally {
    nursery.dispose();
  }
}

async function playOne(nursery: StoreNursery, seed: number): Promise<number> {
  const first = await runSeed(nursery, seed, { story, keepTrace: true });
  const second = await runSeed(nursery, seed, { story, keepTrace: true });
  for (const line of first.trace) console.log(line);
  console.log(`seed ${seed}: ${Math.round(first.simulatedMs / 1_000)} s simulated, ${first.trace.length} lines`);
  const longer = first.trace.length > second.trace.length ? first.trace : second.trace;
  const differing = longer.findIndex((_, index) => first.trace[index] !== second.trace[index]);
  if (differing >= 0) console.log(`NOT DETERMINISTIC: the second run differs from line ${differing + 1} on`);
  for (const violation of first.violations) console.log(`BROKEN  ${violation}`);
  return first.violations.length > 0 || differing >= 0 ? 1 : 0;
}

async function playAll(): Promise<number> {
  const [start, count, jobs] = [readStart(), Number(values.seeds), Number(values.jobs)];
  console.log(
    `Seeds ${start} to ${start + count - 1}. The same ones: npm run sim -- --seeds ${count} --start ${start}`,
  );
  const began = performance.now();
  const tallies = jobs === 1 ? [await withNursery((nursery) => playMany(nursery, start))] : await playSideBySide(start);
  const seconds = (performance.now() - began) / 1_000;
  const played = tallies.reduce((sum, tally) => sum + tally.played, 0);
  const failed = tallies.flatMap((tally) => tally.failed);
  console.log(`${played} seeds in ${seconds.toFixed(1)} s (${(played / seconds).toFixed(1)} a second).`);
  if (failed.length > 0) console.log(`Invariants were broken by: ${failed.join(", ")}`);
  console.log(`${played - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0 && played > 0 ? 0 : 1;
}

async function playMany(nursery: StoreNursery, start: number): Promise<Tally> {
  const [count, most] = [Number(values.seeds), Number(values["until-failures"])];
  const failed: number[] = [];
  let played = 0;
  for (let seed = start; seed < start + count && failed.length < most; seed++) {
    const violations = await playGuarded(nursery, seed);
    played += 1;
    if (violations.length > 0) {
      failed.push(seed);
      console.log(`seed ${seed}: npm run sim -- --seed ${seed}\n  ${violations.slice(0, 5).join("\n  ")}`);
    }
    if (played % TELL_EVERY === 0 && played < count) console.log(`… up to seed ${seed}: ${failed.length} failed`);
  }
  return { played, failed };
}

/** A seed that the simulation itself does not survive counts as one that failed. */
async function playGuarded(nursery: StoreNursery, seed: number): Promise<readonly string[]> {
  try {
    return (await runSeed(nursery, seed, { story })).violations;
  } catch (error) {
    return [`simulation: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
  }
}

async function playSideBySide(start: number): Promise<readonly Tally[]> {
  const [count, jobs] = [Number(values.seeds), Number(values.jobs)];
  const each = Math.min(SEEDS_OF_A_PROCESS, Math.ceil(count / jobs));
  const stretches = Array.from({ length: Math.ceil(count / each) }, (_, at) => ({
    from: start + at * each,
    length: Math.min(each, count - at * each),
  }));
  const tallies: Tally[] = [];
  const countFailed = () => tallies.reduce((sum, { failed }) => sum + failed.length, 0);
  const playOn = async (): Promise<void> => {
    for (let next = stretches.shift(); next !== undefined; next = stretches.shift()) {
      if (countFailed() >= Number(values["until-failures"])) return;
      tallies.push(await playElsewhere(next));
    }
  };
  await Promise.all(Array.from({ length: jobs }, playOn));
  return tallies;
}

/** A process that ends without an answer counts as one seed that failed: its first. */
function playElsewhere({ from, length }: { from: number; length: number }): Promise<Tally> {
  const stretch = ["--start", String(from), "--seeds", String(length), "--story", story];
  const child = fork(fileURLToPath(import.meta.url), [...stretch, "--until-failures", values["until-failures"]]);
  return new Promise((resolve) => {
    let tally: Tally = { played: 1, failed: [from] };
    child.once("message", (message) => {
      tally = message as Tally;
      child.disconnect();
    });
    child.once("exit", () => resolve(tally));
  });
}
