import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { disarmFailpoints } from "../lib/failpoint.ts";
import { armFailpointOf, FAILPOINTS } from "./failpoints.ts";

afterEach(() => disarmFailpoints());

const SOURCES = fileURLToPath(new URL("..", import.meta.url));

/** The names in the code, each with the files that pass the place. */
function findUses(): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts") || /\.(test|conformance)\.ts$/.test(file) || file === "lib/failpoint.ts") continue;
    for (const [, argument = ""] of readFileSync(join(SOURCES, file), "utf8").matchAll(/\bfailpoint\(\s*([^)]*)\)/g)) {
      const name = /^"([^"]+)"$/.exec(argument)?.[1] ?? `${argument}, which is no literal name`;
      uses.set(name, [...(uses.get(name) ?? []), file]);
    }
  }
  return uses;
}

it("lists every failpoint of the program, and none that is not there", () => {
  expect([...findUses().keys()].toSorted()).toEqual(FAILPOINTS.toSorted());
  expect(new Set(FAILPOINTS).size).toBe(FAILPOINTS.length);
});

it("has each at one place, but for what both databases do in their own way", () => {
  const repeated = [...findUses()].filter(([, files]) => files.length !== 1);
  const both = ["store/postgres/session.ts", "store/sqlite/session.ts"];
  expect(repeated.map(([name, files]) => [name, files.toSorted()]).toSorted()).toEqual([
    ["store.after-commit", both],
    ["store.before-commit", both],
  ]);
});

it("names each after the area it is in", () => {
  for (const [name, files] of findUses())
    for (const file of files) expect(file).toMatch(new RegExp(`^${name.split(".")[0]}/`));
});

it("refuses to arm a place that is not there", () => {
  expect(() => armFailpointOf({ failpoint: { name: "engine.nowhere", passage: 1 } })).toThrow("engine.nowhere");
  expect(() => armFailpointOf({ failpoint: null })).not.toThrow();
});
