import { chmodSync, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeTree } from "../test/tree.ts";
import { isReachableByAll, locateReachablePackage } from "./reachable-package.mjs";

const manifest = (dependencies: object, optionalDependencies = {}) =>
  JSON.stringify({ dependencies, optionalDependencies });

const makeModules = () =>
  makeTree({
    "node_modules/server/package.json": manifest(
      { helper: "1" },
      { "@programs/here": "1", "@programs/elsewhere": "1" },
    ),
    "node_modules/server/index.js": "server",
    "node_modules/helper/package.json": manifest({ server: "1" }),
    "node_modules/@programs/here/package.json": manifest({}),
    "node_modules/@programs/here/bin/run": "program",
    "node_modules/other/package.json": manifest({}),
  });

test("uses the package where it is, for users and where everybody can reach it", () => {
  const root = makeModules();
  const own = join(root, "node_modules/server");
  expect(locateReachablePackage(root, "server", { isRoot: false, isReachable: () => false })).toBe(own);
  expect(locateReachablePackage(root, "server", { isRoot: true, isReachable: () => true })).toBe(own);
});

test("copies the package and what it depends on to where everybody can reach it", () => {
  const root = makeModules();
  const place = locateReachablePackage(root, "server", { isRoot: true, isReachable: () => false });
  onTestFinished(() => rmSync(join(place, "../.."), { recursive: true }));
  expect(place).not.toContain(root);
  expect(readFileSync(join(place, "index.js"), "utf8")).toBe("server");
  expect(readFileSync(join(dirname(place), "@programs/here/bin/run"), "utf8")).toBe("program");
  expect(existsSync(join(dirname(place), "helper"))).toBe(true);
  expect(existsSync(join(dirname(place), "other"))).toBe(false);
  expect(statSync(join(place, "../..")).mode & 0o777).toBe(0o755);
});

test("sees a private folder anywhere on the way", () => {
  const root = makeTree({ "a/b/c": "" });
  chmodSync(root, 0o755);
  expect(isReachableByAll(join(root, "a/b"))).toBe(true);
  chmodSync(root, 0o750);
  expect(isReachableByAll(join(root, "a/b"))).toBe(false);
});
