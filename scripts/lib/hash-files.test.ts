import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTree } from "../test/tree.ts";
import { hashFiles } from "./hash-files.mjs";

const files = { "src/a.ts": "a", "src/deep/b.ts": "b", "src/a.test.ts": "t", "src/node_modules/x.js": "x" };
const hash = (root: string) => hashFiles(root, ["src", "missing"], { skip: (name) => name.endsWith(".test.ts") });

test("equal trees have equal hashes, whatever their place and times", () => {
  const one = makeTree(files);
  const other = makeTree(files);
  utimesSync(join(other, "src/a.ts"), 1, 1);
  expect(hash(one)).toBe(hash(other));
});

test.each([
  ["a changed file", "src/a.ts", "A"],
  ["a new file", "src/c.ts", ""],
  ["a file that was missing", "missing", "x"],
])("%s changes the hash", (_, name, text) => {
  const root = makeTree(files);
  const before = hash(root);
  writeFileSync(join(root, name), text);
  expect(hash(root)).not.toBe(before);
});

test("moving text from one file to the next changes the hash", () => {
  expect(hash(makeTree({ "src/a": "xy", "src/b": "" }))).not.toBe(hash(makeTree({ "src/a": "x", "src/b": "y" })));
});

test.each(["src/a.test.ts", "src/node_modules/x.js"])("%s does not count", (name) => {
  const root = makeTree(files);
  const before = hash(root);
  writeFileSync(join(root, name), "changed");
  expect(hash(root)).toBe(before);
});
