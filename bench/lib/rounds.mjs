import { median } from "./statistics.mjs";

/**
 * @typedef {Record<string, number>} Figures What one contender came to in one round, by name.
 *
 * @typedef {object} Contender
 * @property {string} name
 * @property {() => Promise<Prepared>} prepare Everything that is not measured: fresh tables, connections, jobs in line.
 *
 * @typedef {object} Prepared
 * @property {() => Promise<Figures>} measure
 * @property {() => Promise<void>} dispose
 */

/**
 * Every contender once per round, one after the other, so that a slow moment of the machine hits all of them; who
 * begins changes from round to round.
 *
 * @param {{ rounds: number, contenders: readonly Contender[], say?: (line: string) => void }} options
 */
export async function runRounds({ rounds, contenders, say = (line) => console.error(line) }) {
  const results = new Results(contenders.map(({ name }) => name));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(round + turn) % contenders.length];
      const figures = await runOnce(contender);
      results.add(contender.name, figures);
      say(`round ${round + 1}/${rounds}  ${contender.name}  ${describe(figures)}`);
    }
  }
  return results;
}

/** @param {Contender} contender */
export async function runOnce(contender) {
  const { measure, dispose } = await contender.prepare();
  const figures = await measure().catch(async (error) => {
    // Whatever fails behind it must not hide why.
    await dispose().catch((later) => console.error(later));
    throw error;
  });
  await dispose();
  return figures;
}

const describe = (figures) =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${formatFigure(value)}`)
    .join("  ");

/** @param {number} figure */
export function formatFigure(figure) {
  return figure >= 100 ? Math.round(figure).toLocaleString("en-US") : figure.toPrecision(3);
}

export class Results {
  /** @type {Map<string, Figures[]>} */
  #rounds;

  /** @param {readonly string[]} names */
  constructor(names) {
    this.#rounds = new Map(names.map((name) => [name, []]));
  }

  /** @param {string} name @param {Figures} figures */
  add(name, figures) {
    this.#rounds.get(name).push(figures);
  }

  /** @returns {number[]} in the order of the rounds */
  list(name, figure) {
    return this.#rounds.get(name).map((figures) => figures[figure]);
  }

  median(name, figure) {
    return median(this.list(name, figure));
  }

  /** One line per contender: the median and the range of every figure. */
  render() {
    const width = Math.max(...[...this.#rounds.keys()].map((name) => name.length));
    return [...this.#rounds]
      .map(
        ([name, rounds]) =>
          `${name.padEnd(width)}  ${Object.keys(rounds[0] ?? {})
            .map((key) => this.#sum(name, key))
            .join("  ")}`,
      )
      .join("\n");
  }

  #sum(name, figure) {
    const values = this.list(name, figure);
    const [middle, low, high] = [median(values), Math.min(...values), Math.max(...values)].map(formatFigure);
    return `${figure} ${middle} (${low}–${high})`;
  }
}
