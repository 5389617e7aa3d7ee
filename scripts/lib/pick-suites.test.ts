import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot } from "./paths.mjs";
import { pickSuites, readSuites } from "./pick-suites.mjs";

const suites = {
  allAffectedBy: ["package-lock.json", "e2e/support"],
  suites: [
    { name: "start", lane: "processes", always: true, smoke: ["start.test.ts"], affectedBy: ["scripts", "web"] },
    { name: "crd", lane: "processes", smoke: ["crd.test.ts"], affectedBy: ["contract/src/cluster", "docs/crd.md"] },
    {
      ...{ name: "store", lane: "processes", smoke: ["kills.test.ts", "locks.test.ts"], onlyInAll: ["sweep.test.ts"] },
      affectedBy: ["drover/src/store"],
    },
    { name: "web", lane: "containers", smoke: ["first.test.ts"], affectedBy: ["web", "drover/src/http"] },
  ],
};
const pick = async (args: string[], changed: string[] | undefined) =>
  (await pickSuites(suites, args, async () => changed)).flatMap(({ paths, leftOut }) => [
    ...paths,
    ...leftOut.map((file) => `without ${file}`),
  ]);

const [START, CRD, KILLS, LOCKS, WEB] = [
  ...["e2e/start/start.test.ts", "e2e/crd/crd.test.ts", "e2e/store/kills.test.ts", "e2e/store/locks.test.ts"],
  "e2e/web/first.test.ts",
];
const STORE = ["e2e/store/", "without e2e/store/sweep.test.ts"];
const WHOLE = ["e2e/start/", "e2e/crd/", ...STORE, "e2e/web/"];

test("runs what a change of the product affects, and the smoke tests of the rest", async () => {
  expect(await pick([], ["drover/src/store/sqlite/open.ts"])).toEqual([START, CRD, ...STORE, WEB]);
  expect(await pick([], ["drover/src/http/routes.ts", "README.md"])).toEqual([START, CRD, KILLS, LOCKS, "e2e/web/"]);
});

test("runs only the smoke test that always runs when nothing of the product changed", async () => {
  expect(await pick([], ["README.md", "docs/ssh.md"])).toEqual([START]);
  expect(await pick([], ["bench/b1.mjs"])).toEqual([START]);
  expect(await pick([], ["drover/src/store/open.test.ts"])).toEqual([START]);
  expect(await pick([], [])).toEqual([START]);
});

test("runs the suites of the page when only the page changed", async () => {
  expect(await pick([], ["web/src/pages/index.ts"])).toEqual(["e2e/start/", "e2e/web/"]);
});

test("runs a suite that changed, or that reads a document that did", async () => {
  expect(await pick([], ["e2e/store/kills.test.ts"])).toEqual([START, ...STORE]);
  expect(await pick([], ["docs/crd.md"])).toEqual([START, "e2e/crd/"]);
});

test("runs everything when a change affects everything, or a file that no suite knows", async () => {
  expect(await pick([], ["package-lock.json"])).toEqual(WHOLE);
  expect(await pick([], ["e2e/support/place.ts"])).toEqual(WHOLE);
  expect(await pick([], ["drover/src/store-other.ts"])).toEqual(WHOLE);
});

test("runs everything where git cannot tell what changed, and with --all also what only that runs", async () => {
  expect(await pick([], undefined)).toEqual(WHOLE);
  expect(await pick(["--all"], [])).toEqual(["e2e/start/", "e2e/crd/", "e2e/store/", "e2e/web/"]);
});

test("runs what is named, as CI does or all of it, and refuses what does not exist", async () => {
  expect(await pick(["store"], [])).toEqual(STORE);
  expect(await pick(["store", "--all"], [])).toEqual(["e2e/store/"]);
  await expect(pick(["stroe"], [])).rejects.toThrow('no suite "stroe". Must be one of: start, crd, store');
  await expect(pick(["--al"], [])).rejects.toThrow("no option --al");
});

test("does not take the commit of --since for a suite", async () => {
  expect(await pick(["--since", "v1"], [])).toEqual([START]);
});

test("every listed path, suite and file is there, and every folder with tests is listed", () => {
  const { allAffectedBy, suites: listed } = readSuites();
  for (const path of [...allAffectedBy, ...listed.flatMap(({ affectedBy }) => affectedBy)]) {
    expect(existsSync(inRoot(path)), path).toBe(true);
  }
  for (const { name, smoke, onlyInAll = [] } of listed) {
    expect(smoke, name).not.toEqual([]);
    expect(smoke.filter((file) => onlyInAll.includes(file))).toEqual([]);
    for (const file of [...smoke, ...onlyInAll]) {
      expect(existsSync(inRoot("e2e", name, file)), `${name}/${file}`).toBe(true);
    }
  }
  const folders = readdirSync(inRoot("e2e"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && holdsTests(entry.name))
    .map(({ name }) => name);
  expect(listed.map(({ name }) => name).sort()).toEqual(folders.sort());
});

const holdsTests = (folder: string): boolean =>
  readdirSync(inRoot("e2e", folder)).some((file) => file.endsWith(".test.ts"));
