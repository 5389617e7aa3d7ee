import { expect, it } from "vitest";
import { roll } from "./roll.ts";

it("is the same for the same parts and stays below one", () => {
  expect(roll(1, "dev", "create", 3)).toBe(roll(1, "dev", "create", 3));
  expect(roll(1, "dev")).not.toBe(roll(1, "dew"));
  expect(roll("ab", "c")).not.toBe(roll("a", "bc"));
});

it("spreads evenly although only a counter changes", () => {
  const tenths = new Array<number>(10).fill(0);
  for (let count = 0; count < 10_000; count += 1) {
    const value = roll(7, "dev", "fault", count);
    const tenth = Math.floor(value * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  expect(tenths).toHaveLength(10);
  expect(Math.min(...tenths)).toBeGreaterThan(800);
  expect(Math.max(...tenths)).toBeLessThan(1_200);
});
