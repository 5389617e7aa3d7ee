import { expect, test } from "vitest";
import { readImports } from "./read-imports.ts";

const read = (text: string) => readImports("x.ts", text).map(({ specifier, typeOnly }) => [specifier, typeOnly]);

test.each([
  ['import a from "./a.ts";', "./a.ts", false],
  ['import type { A } from "./a.ts";', "./a.ts", true],
  ['import { type A, b } from "./a.ts";', "./a.ts", false],
  ['import "./a.ts";', "./a.ts", false],
  ['export * from "./a.ts";', "./a.ts", false],
  ['export * as a from "./a.ts";', "./a.ts", false],
  ['export { a } from "./a.ts";', "./a.ts", false],
  ['export type { A } from "./a.ts";', "./a.ts", true],
  ['const a = await import("./a.ts");', "./a.ts", false],
  ['const a = await import(("./a.ts"));', "./a.ts", false],
  ["const a = await import(`./a.ts`);", "./a.ts", false],
  ['let a: import("./a.ts").A;', "./a.ts", true],
  ['import a = require("./a.ts");', "./a.ts", false],
  ['const a = require("./a.ts");', "./a.ts", false],
  ['new Worker(new URL("./a.ts", import.meta.url));', "./a.ts", false],
])("sees %s", (text, specifier, typeOnly) => {
  expect(read(text)).toEqual([[specifier, typeOnly]]);
});

test("reports a computed name as unknown", () => {
  expect(read("const a = await import(name);")).toEqual([[undefined, false]]);
  expect(read("const a = await import(`./${name}.ts`);")).toEqual([[undefined, false]]);
});

test("takes no import out of comments, strings, plain exports or addresses", () => {
  expect(read(`// import a from "./a.ts"\nconst s = 'import b from "./b.ts"'; export const c = s;`)).toEqual([]);
  expect(read('new URL("./style.css", import.meta.url); new URL("https://example.org/a.ts");')).toEqual([]);
});

test("says on which line an import stands", () => {
  expect(readImports("x.ts", 'const a = 1;\n\nimport "./b.ts";\n')[0]?.line).toBe(3);
});

test("refuses a file that does not parse", () => {
  expect(() => readImports("x.ts", "import {")).toThrow(/x\.ts cannot be parsed/);
});
