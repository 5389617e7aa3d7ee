import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot } from "./paths.mjs";
import { pickSuites, readSuites } from "./pick-suites.mjs";

const suites = [
  { name: "start", smoke: true, affectedBy: ["scripts"] },
  { name: "crd", affectedBy: ["contract/src/cluster"] },
  { name: "store", affectedBy: ["drover/src/store"] },
];
const pick = async (args: string[], changed: string[] | undefined) =>
  (await pickSuites(suites, args, async () => changed)).map(({ name }) => name);

test("runs the smoke test and what a change affects", async () => {
  expect(await pick([], ["README.md"])).toEqual(["start"]);
  expect(await pick([], ["drover/src/store/sqlite/open.ts"])).toEqual(["start", "store"]);
  expect(await pick([], ["drover/src/store-other.ts"])).toEqual(["start"]);
  expect(await pick([], ["e2e/crd/accept.test.ts"])).toEqual(["start", "crd"]);
});

test("runs everything with --all, and where git cannot tell what changed", async () => {
  expect(await pick(["--all"], [])).toEqual(["start", "crd", "store"]);
  expect(await pick([], undefined)).toEqual(["start", "crd", "store"]);
});

test("runs what is named, and refuses a name that does not exist", async () => {
  expect(await pick(["store"], [])).toEqual(["store"]);
  await expect(pick(["stroe"], [])).rejects.toThrow('no suite "stroe". Must be one of: start, crd, store');
});

test("asks for the changes since the commit that was given", async () => {
  const asked: string[] = [];
  const listChanged = async (since: string) => {
    asked.push(since);
    return [];
  };
  await pickSuites(suites, ["--since", "v1"], listChanged);
  expect(asked).toEqual(["v1"]);
});

test("every listed suite has its folder", () => {
  for (const { name } of readSuites()) expect(existsSync(inRoot("e2e", name)), name).toBe(true);
});
