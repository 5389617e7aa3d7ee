import { expect, test } from "vitest";
import { inRoot, ROOT } from "../lib/paths.mjs";
import { runCommand } from "../lib/run-command.mjs";
import { copyFromRoot, makeTree } from "../test/tree.ts";
import { checkLayers } from "./check.ts";

function check(files: Record<string, string>): string[] {
  const root = makeTree(files);
  copyFromRoot(root, "layers.json");
  return checkLayers(root);
}

test("lets imports go down", () => {
  const complaints = check({
    "contract/src/index.ts": 'import { z } from "zod"; export const a = z;',
    "drover/src/domain/phase.ts": 'import { a } from "@drover/contract"; export const b = a;',
    "drover/src/store/open.ts": 'import type { B } from "../domain/phase.ts"; export type C = B;',
    "drover/src/main/up.ts": 'import { C } from "../store/open.ts"; import "@drover/contract"; export { C };',
    "web/src/pages/home.tsx": 'import { a } from "@drover/contract"; import "../components/icon.tsx"; export { a };',
    "web/src/components/icon.tsx": "export const icon = 1;",
  });
  expect(complaints).toEqual([]);
});

test.each([
  ["of a value", 'import { b } from "../store/open.ts";'],
  ["of a type", 'import type { B } from "../store/open.ts";'],
  ["at run time", 'await import("../store/open.ts");'],
  ["by re-export", 'export * from "../store/open.ts";'],
])("refuses an upward import %s", (_, line) => {
  const files = { "drover/src/store/open.ts": "export const b = 1;", "drover/src/domain/phase.ts": `\n${line}\n` };
  expect(check(files)).toEqual([
    'drover/src/domain/phase.ts:2: "domain" must not import "store": it stands on contract, lib',
  ]);
});

test.each([
  [
    "an adapter imports another",
    "drover/src/store/a.ts",
    'import "../connectors/b.ts";',
    /"store" must not import "connectors"/,
  ],
  [
    "a provider imports its sibling",
    "drover/src/providers/kind/a.ts",
    'import "../k3d/b.ts";',
    /"providers\/kind" must not import "providers\/k3d"/,
  ],
  ["lib imports one of ours", "drover/src/lib/a.ts", 'import "../domain/b.ts";', /it stands on nothing/],
  ["the API executes", "drover/src/http/a.ts", 'import "../engine/b.ts";', /"http" must not import "engine"/],
  [
    "the API starts a program",
    "drover/src/http/a.ts",
    'import { spawn } from "node:child_process";',
    /only lib, connectors/,
  ],
  ["domain uses a package", "drover/src/domain/a.ts", 'import "kysely";', /no package at all/],
  ["contract uses Node.js", "contract/src/a.ts", 'import "node:fs";', /it uses zod/],
  ["a page uses Node.js", "web/src/pages/a.ts", 'import "node:fs";', /runs in a browser/],
  [
    "web imports the program",
    "web/src/pages/a.ts",
    'import "../../../drover/src/domain/b.ts";',
    /reaches into drover\//,
  ],
  [
    "a workspace is reached by path",
    "drover/src/domain/a.ts",
    'import "../../../contract/src/b.ts";',
    /by its package name/,
  ],
  ["a source imports a test", "drover/src/domain/a.ts", 'import "./b.test.ts";', /is a test/],
  [
    "a source imports test helpers",
    "drover/src/store/a.ts",
    'import "../../test/b.ts";',
    /must not import "drover\/test"/,
  ],
  ["a name is computed", "drover/src/main/a.ts", "await import(name);", /computed name/],
  ["a file is outside all layers", "drover/src/misc/a.ts", "export {};", /belongs to no layer/],
])("complains when %s", (_, file, text, complaint) => {
  const complaints = check({ [file]: text });
  expect(complaints).toHaveLength(1);
  expect(complaints[0]).toMatch(complaint);
});

test("lets a test import test helpers and conformance suites, and an index its adapters", () => {
  const complaints = check({
    "drover/src/store/a.test.ts": 'import "../../test/b.ts"; import "../ports/store.conformance.ts"; import "node:fs";',
    "drover/test/b.ts": 'import "../src/main/up.ts"; import "../src/store/open.ts";',
    "drover/src/providers/index.ts": 'import "./kind/provider.ts"; import "./k3d/provider.ts";',
  });
  expect(complaints).toEqual([]);
});

test("refuses an import cycle, also one of types alone", () => {
  const complaints = check({
    "drover/src/domain/a.ts": 'import { b } from "./b.ts"; export const a = b;',
    "drover/src/domain/b.ts": 'import type { C } from "./c.ts"; export const b: C = 1;',
    "drover/src/domain/c.ts": 'export * from "./a.ts";',
  });
  expect(complaints).toEqual([
    "drover/src/domain/a.ts:1: import cycle: drover/src/domain/a.ts → drover/src/domain/b.ts → drover/src/domain/c.ts → drover/src/domain/a.ts",
  ]);
});

test("sees a cycle that leads through the package name", () => {
  const complaints = check({
    "contract/src/index.ts": 'export * from "./a.ts";',
    "contract/src/a.ts": 'import "@drover/contract";',
  });
  expect(complaints[0]).toMatch(/import cycle: contract\/src\/a\.ts → contract\/src\/index\.ts/);
});

test("the command ends with 1 and names the place", async () => {
  const root = makeTree({ "drover/src/lib/a.ts": 'import "../main/up.ts";' });
  copyFromRoot(root, "layers.json");
  const args = [inRoot("node_modules/tsx/dist/cli.mjs"), inRoot("scripts/check-layers.ts"), root];
  const { code, output } = await runCommand(process.execPath, args, { cwd: ROOT, capture: true });
  expect(code).toBe(1);
  expect(output).toContain('drover/src/lib/a.ts:1: "lib" must not import "main"');
});
