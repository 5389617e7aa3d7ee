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
  },
});

const nursery = new StoreNursery();
try {
  process.exitCode = values.seed === undefined ? await playMany() : await playOne(Number(values.seed));
} finally {
  nursery.dispose();
}

async function playOne(seed: number): Promise<number> {
  const first = await runSeed(nursery, seed, true);
  const second = await runSeed(nursery, seed);
  for (const line of first.trace) console.log(line);
  console.log(`seed ${seed}: ${Math.round(first.simulatedMs / 1_000)} s simulated, digest ${first.digest}`);
  if (second.digest !== first.digest) console.log(`NOT DETERMINISTIC: the second run has digest ${second.digest}`);
  for (const violation of first.violations) console.log(`BROKEN  ${violation}`);
  return first.violations.length > 0 || second.digest !== first.digest ? 1 : 0;
}

async function playMany(): Promise<number> {
  const [start, count, most] = [Number(values.start), Number(values.seeds), Number(values["until-failures"])];
  const began = performance.now();
  const failed: number[] = [];
  let played = 0;
  for (let seed = start; seed < start + count && failed.length < most; seed++) {
    const { violations } = await runSeed(nursery, seed);
    played += 1;
    if (violations.length === 0) continue;
    failed.push(seed);
    console.log(`seed ${seed}\n  ${violations.slice(0, 5).join("\n  ")}`);
  }
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${played} seeds in ${seconds.toFixed(1)} s (${(played / seconds).toFixed(1)} a second).`);
  console.log(failed.length === 0 ? "No invariant was broken." : `Broken by: ${failed.join(", ")}`);
  return failed.length === 0 ? 0 : 1;
}
