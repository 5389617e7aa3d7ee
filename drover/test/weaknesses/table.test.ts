import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const rows = readFileSync(join(root, "docs/weaknesses.md"), "utf8")
  .split("\n")
  .filter((line) => line.endsWith(".test.ts |"))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, , name = "", file = ""]) => ({ name, file }));

/** The names of all tests of a file, as they are written. */
function testsOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/\bit(?:\.each\([^)]*\))?\(\s*"([^"]+)"/g)].map(([, name = ""]) => name);
}

describe("the table of weaknesses", () => {
  it.each(rows)("names a test that is there: $name", ({ name, file }) => {
    expect(testsOf(file)).toContain(name);
  });

  it("names every test of this folder", () => {
    const files = readdirSync(here).filter((file) => file.endsWith(".test.ts") && file !== "table.test.ts");
    const named = new Set(rows.map(({ name }) => name));
    const tests = files.flatMap((file) => testsOf(`drover/test/weaknesses/${file}`));
    expect(tests.length).toBeGreaterThan(20);
    expect(tests.filter((name) => !named.has(name))).toEqual([]);
  });
});
