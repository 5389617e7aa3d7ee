import { parseArgs } from "node:util";

/**
 * The options that every benchmark takes, and those of one of them: whole numbers by name, with their defaults.
 * `sizes` gives what differs between the small size and `--full`; any of it can be set by hand as well.
 *
 * @template {Record<string, number>} S
 * @param {{ small: S, full: S }} sizes
 * @returns {S & { rounds: number, full: boolean, dist: string | undefined }}
 */
export function readOptions(sizes) {
  const names = Object.keys(sizes.small);
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "5" },
      full: { type: "boolean", default: false },
      dist: { type: "string" },
      ...Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    },
  });
  const size = values.full ? sizes.full : sizes.small;
  const numbers = names.map((name) => [name, readCount(name, values[name] ?? size[name])]);
  return {
    rounds: readCount("rounds", values.rounds),
    full: values.full,
    dist: values.dist,
    ...Object.fromEntries(numbers),
  };
}

function readCount(name, text) {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new Error(`--${name} is ${JSON.stringify(text)}; give a whole number above 0.`);
}
