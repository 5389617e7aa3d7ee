import { expect, it } from "vitest";
import { mapBounded } from "./map-bounded.ts";

it("answers in order and never has more under way than allowed", async () => {
  let under = 0;
  let most = 0;
  const doubled = await mapBounded([5, 1, 4, 2, 3], 2, async (item) => {
    under += 1;
    most = Math.max(most, under);
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
    under -= 1;
    return item * 2;
  });
  expect([doubled, most]).toEqual([[10, 2, 8, 4, 6], 2]);
});

it("fails as soon as one of them does, and begins no others in that turn", async () => {
  const begun: number[] = [];
  const mapping = mapBounded([1, 2, 3], 1, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error("two");
  });
  await expect(mapping).rejects.toThrow("two");
  expect(begun).toEqual([1, 2]);
});
