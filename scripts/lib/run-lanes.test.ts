import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { runLanes } from "./run-lanes.mjs";

const ITEMS = [
  { name: "a1", lane: "a" },
  { name: "b1", lane: "b" },
  { name: "a2", lane: "a" },
];

test("runs lanes side by side, and the items of a lane one after the other", async () => {
  const said: string[] = [];
  const releases = new Map<string, () => void>();
  const ended = runLanes(ITEMS, {
    run: async ({ name }) => {
      said.push(`${name} begins`);
      await new Promise<void>((resolve) => releases.set(name, resolve));
      said.push(`${name} ends`);
      return name;
    },
  });
  expect(said).toEqual(["a1 begins", "b1 begins"]);
  releases.get("a1")?.();
  await expect.poll(() => said.at(-1)).toBe("a2 begins");
  releases.get("a2")?.();
  releases.get("b1")?.();
  expect(await ended).toEqual(["a1", "b1", "a2"]);
});

test("says what still runs", async () => {
  const seen = new Set<string>();
  await runLanes(ITEMS, {
    run: async ({ name }) => await sleep(name === "b1" ? 60 : 10),
    onWait: (running) => running.map(({ name }) => seen.add(name)),
    waitMs: 5,
  });
  expect([...seen]).toContain("b1");
});

test("begins nothing after an interruption, and says so", async () => {
  const begun: string[] = [];
  const stopping = new AbortController();
  const run = async ({ name }: { name: string }) => {
    begun.push(name);
    stopping.abort(new Error("Interrupted."));
  };
  const items = ["one", "two"].map((name) => ({ name, lane: "a" }));
  await expect(runLanes(items, { run, signal: stopping.signal })).rejects.toThrow("Interrupted.");
  expect(begun).toEqual(["one"]);
});
