import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listImports, reach, weighBuild } from "./web-budget.mjs";

test("finds what a built module imports at once, and not what it loads later", () => {
  const text =
    'import{a as b,c}from"./one-abc.js";import"./two.js";export{d}from"./three.js";const x=()=>import("./late.js");';
  expect(listImports(text)).toEqual(["one-abc.js", "two.js", "three.js"]);
});

test("follows imports once, and leaves out what is there already", () => {
  const graph = new Map([
    ["a", ["b", "c"]],
    ["b", ["a", "d"]],
  ]);
  expect([...reach(graph, "a", new Set(["c"]))]).toEqual(["a", "b", "d"]);
});

/** Text that hardly compresses. */
const noise = (length: number) => Array.from({ length }, () => Math.random().toString(36).slice(2, 3)).join("");

test("weighs what is loaded first, and what a page adds", () => {
  const dist = mkdtempSync(join(tmpdir(), "drover-budget-"));
  onTestFinished(() => rmSync(dist, { recursive: true, force: true }));
  mkdirSync(join(dist, "assets"));
  writeFileSync(join(dist, "index.html"), '<script type="module" src="/assets/index-1.js"></script>');
  writeFileSync(join(dist, "assets/index-1.js"), 'import"./shared.js";');
  writeFileSync(join(dist, "assets/shared.js"), `"${noise(400_000)}"`);
  writeFileSync(join(dist, "assets/jobs-page-12345678.js"), `import"./shared.js";"${noise(1000)}"`);
  const [initial, , page] = weighBuild(dist);
  expect(initial).toMatchObject({ name: "initial", limit: 170 });
  expect(initial?.kilobytes).toBeGreaterThan(170);
  expect(page).toMatchObject({ name: "jobs-page", limit: 80 });
  expect(page?.kilobytes).toBeLessThan(2);
});
