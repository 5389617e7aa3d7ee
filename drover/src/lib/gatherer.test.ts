import { describe, expect, it } from "vitest";
import { Gatherer } from "./gatherer.ts";

/** Batches that the test ends when it likes. */
function manualGatherer(limit: number) {
  const batches: { inputs: readonly number[]; end: (error?: Error) => void }[] = [];
  const gatherer = new Gatherer<number, string>(
    (inputs) =>
      new Promise((resolve, reject) => {
        const answers = inputs.map(
          (input): PromiseSettledResult<string> =>
            input < 0
              ? { status: "rejected", reason: new Error(`refused ${input}`) }
              : { status: "fulfilled", value: `done ${input}` },
        );
        batches.push({ inputs, end: (error) => (error === undefined ? resolve(answers) : reject(error)) });
      }),
    { limit },
  );
  return { gatherer, batches };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("Gatherer", () => {
  it("works off together what is called in one moment, and then what came meanwhile", async () => {
    const { gatherer, batches } = manualGatherer(10);
    const first = [gatherer.add(1), gatherer.add(2)];
    await turn();
    const later = [gatherer.add(3), gatherer.add(4), gatherer.add(5)];
    await turn();
    expect(batches.map(({ inputs }) => inputs)).toEqual([[1, 2]]);
    batches[0]?.end();
    expect(await Promise.all(first)).toEqual(["done 1", "done 2"]);
    await turn();
    expect(batches.map(({ inputs }) => inputs)).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    batches[1]?.end();
    expect(await Promise.all(later)).toEqual(["done 3", "done 4", "done 5"]);
  });

  it("never works on more at once than the limit", async () => {
    const { gatherer, batches } = manualGatherer(2);
    const all = [1, 2, 3].map((input) => gatherer.add(input));
    await turn();
    batches[0]?.end();
    await turn();
    batches[1]?.end();
    await Promise.all(all);
    expect(batches.map(({ inputs }) => inputs)).toEqual([[1, 2], [3]]);
  });

  it("answers each call for itself", async () => {
    const { gatherer, batches } = manualGatherer(10);
    const all = Promise.allSettled([gatherer.add(1), gatherer.add(-2)]);
    await turn();
    batches[0]?.end();
    expect(await all).toMatchObject([{ value: "done 1" }, { reason: { message: "refused -2" } }]);
  });

  it("goes on after a batch that failed as a whole", async () => {
    const { gatherer, batches } = manualGatherer(10);
    const failing = Promise.allSettled([gatherer.add(1), gatherer.add(2)]);
    await turn();
    batches[0]?.end(new Error("away"));
    expect(await failing).toMatchObject([{ reason: { message: "away" } }, { reason: { message: "away" } }]);
    const next = gatherer.add(3);
    await turn();
    batches[1]?.end();
    expect(await next).toBe("done 3");
  });
});
