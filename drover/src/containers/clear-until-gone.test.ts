import { expect, it } from "vitest";
import type { Timer } from "../ports/timer.ts";
import { clearUntilGone } from "./clear-until-gone.ts";

const { signal } = new AbortController();
const atOnce: Timer = {
  after: (_ms, callback) => {
    const handle = setImmediate(callback);
    return () => clearImmediate(handle);
  },
};

/** A host on which more comes about with every look, as long as there is more. */
function host(coming: string[][], stubborn: readonly string[] = []) {
  const there: string[] = [];
  let looks = 0;
  return {
    find: async () => {
      looks += 1;
      there.push(...(coming.shift() ?? []));
      return [...there];
    },
    remove: async (found: readonly string[]) => {
      for (const name of found) if (!stubborn.includes(name)) there.splice(there.indexOf(name), 1);
    },
    nameOf: (name: string) => name,
    there,
    looks: () => looks,
  };
}

it("looks once where nothing is and nobody was at work", async () => {
  const empty = host([]);
  await clearUntilGone({ ...empty, aftermath: false }, atOnce, signal);
  expect(empty.looks()).toBe(1);
});

it("looks again after it has removed something", async () => {
  const one = host([["a"]]);
  await clearUntilGone({ ...one, aftermath: false }, atOnce, signal);
  expect([one.there, one.looks()]).toEqual([[], 2]);
});

it("also removes what comes late from a tool that was ended", async () => {
  const late = host([["a"], [], ["b"], [], []]);
  await clearUntilGone({ ...late, aftermath: true }, atOnce, signal);
  expect(late.there).toEqual([]);
});

it("gives up in the end, and names what stays", async () => {
  const stubborn = host([["a", "b"]], ["b"]);
  const clearing = clearUntilGone({ ...stubborn, aftermath: false }, atOnce, signal);
  await expect(clearing).rejects.toMatchObject({ code: "objects-remain", message: "There is still: b." });
});
