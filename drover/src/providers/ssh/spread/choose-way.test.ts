import { describe, expect, it } from "vitest";
import { chooseNext, chooseWay, mergeRate, type Situation } from "./choose-way.ts";

const MB = 1_000_000;
const situation = (more: Partial<Situation>): Situation => ({
  bytes: 100 * MB,
  rates: { upload: 10 * MB, copy: null },
  lenders: [],
  comingIn: null,
  waited: 0,
  ...more,
});

describe("the way of a file", () => {
  it.each<[string, Partial<Situation>, string]>([
    ["comes from here while nobody else has it", {}, "upload"],
    ["comes from here while nothing is known", { rates: { upload: null, copy: null }, lenders: ["b"] }, "upload"],
    ["is tried between machines once", { lenders: ["b", "c"] }, "copy b"],
    ["comes from here when that takes no time", { bytes: 10 * MB, lenders: ["b"] }, "upload"],
    ["is copied where that is faster", { rates: { upload: MB, copy: 9 * MB }, lenders: ["b"] }, "copy b"],
    ["comes from here where that is faster", { rates: { upload: 9 * MB, copy: MB }, lenders: ["b"] }, "upload"],
    ["is waited for a moment, to try with", { comingIn: 1 }, "wait"],
    ["is not waited for longer before copying was tried", { comingIn: 1, waited: 2.5 }, "upload"],
    ["is waited for when that is sooner", { rates: { upload: MB, copy: 100 * MB }, comingIn: 50 }, "wait"],
    ["is not waited for when that is later", { rates: { upload: MB, copy: 100 * MB }, comingIn: 99.5 }, "upload"],
    ["is not waited for when machines are slow", { rates: { upload: 9 * MB, copy: MB }, comingIn: 0 }, "upload"],
  ])("%s", (_, more, expected) => {
    const choice = chooseWay(situation(more));
    expect(choice.way === "copy" ? `copy ${choice.from}` : choice.way).toBe(expected);
  });
});

describe("the next file", () => {
  const [lent, coming, other] = [
    { isLent: true, isComing: true },
    { isLent: false, isComing: true },
    { isLent: false, isComing: false },
  ];

  it("is one that a machine has, then one that nobody is getting", () => {
    const rates = { upload: MB, copy: null };
    expect(chooseNext([coming, other, lent], rates)).toBe(2);
    expect(chooseNext([coming, other], rates)).toBe(1);
    expect(chooseNext([coming, coming], rates)).toBe(0);
  });

  it("goes by what others have only where copying is faster", () => {
    expect(chooseNext([other, lent], { upload: 9 * MB, copy: MB })).toBe(0);
    expect(chooseNext([other, lent], { upload: MB, copy: 9 * MB })).toBe(1);
  });
});

it("follows a rate that changes", () => {
  expect(mergeRate(null, 10 * MB, 2)).toBe(5 * MB);
  expect(mergeRate(5 * MB, 10 * MB, 1)).toBe(7.5 * MB);
});
