import { expect, it } from "vitest";
import { parseQuantity } from "./kubernetes-quantity.ts";

it.each([
  ["4", 4],
  ["250m", 0.25],
  ["1500000n", 0.0015],
  ["64Mi", 67_108_864],
  ["1.5Gi", 1_610_612_736],
  ["128974848", 128_974_848],
  ["129e6", 129_000_000],
  ["1E3", 1_000],
  ["2E", 2e18],
  ["129M", 129_000_000],
  [110, 110],
])("reads %s as %d", (text, amount) => {
  expect(parseQuantity(text)).toBeCloseTo(amount, 9);
});

it.each(["", "Mi", "12Qi", "1e", "NaN", "0x10", "1 Gi", null, undefined, Number.NaN, {}])(
  "takes %s for nothing",
  (text) => {
    expect(parseQuantity(text)).toBeNull();
  },
);
