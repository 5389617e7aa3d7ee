import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot } from "./paths.mjs";
import { pickSuites, readSuites } from "./pick-suites.mjs";

const suites = {
  allAffectedBy: ["package-lock.json", "e2e/support"],
  suites: [
    { name: "start", smoke: ["start.test.ts"], affectedBy: ["scripts"] },
    { name: "crd", smoke: ["crd.test.ts"], affectedBy: ["contract/src/cluster"] },
    { name: "store", smoke: ["kills.test.ts", "locks.test.ts"], affectedBy: ["drover/src/store"] },
  ],
};
const pick = async (args: string[], changed: string[] | undefined) =>
  (await pickSuites(suites, args, async () => changed)).flatMap(({ paths }) => paths);

const SMOKE = ["e2e/start/start.test.ts", "e2e/crd/crd.test.ts", "e2e/store/kills.test.ts", "e2e/store/locks.test.ts"];
const WHOLE = ["e2e/start/", "e2e/crd/", "e2e/store/"];

test("runs what a change affects, and the smoke tests of the rest", async () => {
  expect(await pick([], ["README.md"])).toEqual(SMOKE);
  expect(await pick([], ["drover/src/store/sqlite/open.ts"])).toEqual([...SMOKE.slice(0, 2), "e2e/store/"]);
  expect(await pick([], ["drover/src/store-other.ts"])).toEqual(SMOKE);
  expect(await pick([], ["e2e/crd/accept.test.ts"])).toEqual([SMOKE[0], "e2e/crd/", ...SMOKE.slice(2)]);
});

test("runs everything when a change affects everything", async () => {
  expect(await pick([], ["package-lock.json"])).toEqual(WHOLE);
  expect(await pick([], ["e2e/support/place.ts"])).toEqual(WHOLE);
});

test("runs everything with --all, and where git cannot tell what changed", async () => {
  expect(await pick(["--all"], [])).toEqual(WHOLE);
  expect(await pick([], undefined)).toEqual(WHOLE);
});

test("runs what is named, and refuses a name that does not exist", async () => {
  expect(await pick(["store"], [])).toEqual(["e2e/store/"]);
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

test("every listed path, suite and smoke test is there, and every folder with tests is listed", () => {
  const { allAffectedBy, suites: listed } = readSuites();
  for (const path of [...allAffectedBy, ...listed.flatMap(({ affectedBy }) => affectedBy)]) {
    expect(existsSync(inRoot(path)), path).toBe(true);
  }
  for (const { name, smoke } of listed) {
    expect(smoke, name).not.toEqual([]);
    for (const file of smoke) expect(existsSync(inRoot("e2e", name, file)), `${name}/${file}`).toBe(true);
  }
  const folders = readdirSync(inRoot("e2e"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && holdsTests(entry.name))
    .map(({ name }) => name);
  expect(listed.map(({ name }) => name).sort()).toEqual(folders.sort());
});

const holdsTests = (folder: string): boolean =>
  readdirSync(inRoot("e2e", folder)).some((file) => file.endsWith(".test.ts"));
