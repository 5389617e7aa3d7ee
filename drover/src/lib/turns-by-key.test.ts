import { expect, it } from "vitest";
import { TurnsByKey } from "./turns-by-key.ts";

const { signal } = new AbortController();

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

it("does work of one key in turn, and of others meanwhile", async () => {
  const turns = new TurnsByKey();
  const { opened, open } = gate();
  const order: string[] = [];
  const first = turns.take("a", signal, async () => {
    await opened;
    order.push("first");
  });
  const second = turns.take("a", signal, async () => order.push("second"));
  await turns.take("b", signal, async () => order.push("other"));
  open();
  await Promise.all([first, second]);
  expect(order).toEqual(["other", "first", "second"]);
});

it("goes on after work that failed, and after one that gave up while it waited", async () => {
  const turns = new TurnsByKey();
  const { opened, open } = gate();
  const order: string[] = [];
  const giveUp = new AbortController();
  const first = turns.take("a", signal, async () => {
    await opened;
    order.push("first");
    throw new Error("it failed");
  });
  const second = turns.take("a", giveUp.signal, async () => order.push("second"));
  giveUp.abort(new Error("enough"));
  await expect(second).rejects.toThrow("enough");
  const third = turns.take("a", signal, async () => order.push("third"));
  open();
  await expect(first).rejects.toThrow("it failed");
  await third;
  expect(order).toEqual(["first", "third"]);
});
