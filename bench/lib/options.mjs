import { parseArgs } from "node:util";

/**
 * The options that every benchmark takes, and those of one of them: whole numbers by name, with their defaults.
 * `sizes` gives what differs between the small size, `--full` and `--smoke`; any of it can be set by hand as well. The
 * smoke is one round of the same work at a size that takes seconds; what it leaves out is as in the small size. Whatever
 * is not known is an error.
 *
 * @template {Record<string, number>} S
 * @param {{ small: S, full: S, smoke: Partial<S> }} sizes
 * @param {readonly string[]} [args]
 * @returns {S & { rounds: number, full: boolean, smoke: boolean, dist: string | undefined }}
 */
export function readOptions(sizes, args = process.argv.slice(2)) {
  const names = Object.keys(sizes.small);
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: "string" },
      full: { type: "boolean", default: false },
      smoke: { type: "boolean", default: false },
      dist: { type: "string" },
      ...Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    },
  });
  const { full, smoke, dist } = values;
  if (full && smoke) throw new Error("--full and --smoke are two sizes; give one of them.");
  const size = { ...sizes.small, ...(full ? sizes.full : {}), ...(smoke ? sizes.smoke : {}) };
  const numbers = names.map((name) => [name, readCount(name, values[name] ?? size[name])]);
  const rounds = readCount("rounds", values.rounds ?? (smoke ? 1 : 5));
  // What `npm run bench:smoke` looks for: a program that overlooks the flag would run its small size, and pass.
  if (smoke) console.log(`smoke: ${numbers.map(([name, count]) => `${name} ${count}`).join(", ")}`);
  return { rounds, full, smoke, dist, ...Object.fromEntries(numbers) };
}

function readCount(name, text) {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`--${name} is ${JSON.stringify(text)}; give a whole number above 0.`);
}
