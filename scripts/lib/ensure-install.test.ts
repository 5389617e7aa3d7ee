import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeTree } from "../test/tree.ts";
import { ensureInstall } from "./ensure-install.mjs";

const LOCK = { packages: { "": {}, "node_modules/a": { version: "1.0.0", integrity: "sha512-a" } } };

function prepare(lock: unknown = LOCK) {
  const root = makeTree({ "package-lock.json": JSON.stringify(lock) });
  const runs: string[][] = [];
  const install = async (args: readonly string[]) => {
    runs.push([...args]);
    rmSync(join(root, "node_modules"), { recursive: true, force: true });
    await sleep(20);
    mkdirSync(join(root, "node_modules"));
    return { code: 0, output: "" };
  };
  const ensure = (how: typeof install = install) => ensureInstall(root, { install: how, say: () => {} });
  return { root, runs, ensure };
}

test("installs once, with the development packages whatever NODE_ENV says", async () => {
  const { runs, ensure } = prepare();
  await ensure();
  await ensure();
  expect(runs).toHaveLength(1);
  expect(runs[0]).toEqual(expect.arrayContaining(["ci", "--include=dev", "--include=optional"]));
});

test("installs again when the lock file changed or node_modules is gone", async () => {
  const { root, runs, ensure } = prepare();
  await ensure();
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages: {} }));
  await ensure();
  rmSync(join(root, "node_modules"), { recursive: true });
  await ensure();
  expect(runs).toHaveLength(3);
});

test("installs once when several start together", async () => {
  const { runs, ensure } = prepare();
  await Promise.all([ensure(), ensure(), ensure()]);
  expect(runs).toHaveLength(1);
});

test("starts over after an install that failed or was killed on the way", async () => {
  const { runs, ensure } = prepare();
  await expect(ensure(async () => ({ code: 137, output: "" }))).rejects.toThrow(/exit code 137/);
  await ensure();
  expect(runs).toHaveLength(1);
});

test("takes an install that npm itself completed as it is", async () => {
  const optional = { version: "1.0.0", integrity: "sha512-b", optional: true };
  const { root, runs, ensure } = prepare({ packages: { ...LOCK.packages, "node_modules/other-platform": optional } });
  mkdirSync(join(root, "node_modules"));
  writeFileSync(join(root, "node_modules/.package-lock.json"), JSON.stringify(LOCK));
  await ensure();
  expect(runs).toHaveLength(0);
  expect(existsSync(join(root, "node_modules/.drover-install"))).toBe(true);
});

test.each([
  ["a package is missing", { packages: {} }],
  ["a version differs", { packages: { "node_modules/a": { version: "1.0.1", integrity: "sha512-a" } } }],
  ["a content differs", { packages: { "node_modules/a": { version: "1.0.0", integrity: "sha512-x" } } }],
])("does not take an install in which %s", async (_, found) => {
  const { root, runs, ensure } = prepare();
  mkdirSync(join(root, "node_modules"));
  writeFileSync(join(root, "node_modules/.package-lock.json"), JSON.stringify(found));
  await ensure();
  expect(runs).toHaveLength(1);
});
