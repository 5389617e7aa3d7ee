import { expect, test } from "vitest";
import { drawLayers, replaceSection } from "./draw.ts";
import { makeTable } from "./table.ts";

const table = makeTable({
  layers: [
    { name: "contract", folder: "contract/src", on: [] },
    { name: "store", folder: "drover/src/store", on: ["contract"], adapter: true },
    { name: "main", folder: "drover/src/main", on: ["store"] },
  ],
  workshops: [],
  packages: {},
  guarded: {},
});

test("draws an arrow to each layer that another stands on, and lists what is within reach", () => {
  const drawing = drawLayers(table);
  expect(drawing).toContain("  main --> store\n");
  expect(drawing).toContain("store([store])");
  expect(drawing).not.toContain("main --> contract");
  expect(drawing).not.toContain("subgraph web");
  expect(drawing).toContain("| `drover/src/main` | contract, store |");
  expect(drawing).toContain("| `contract/src` | nothing of ours |");
});

test("replaces what stands between the marks and nothing else", () => {
  const before = replaceSection(
    "head\n<!-- layers: generated from layers.json by `npm run generate` -->\nold\n<!-- layers: end -->\ntail\n",
    "new\n",
  );
  expect(before).not.toContain("old");
  expect(before.startsWith("head\n")).toBe(true);
  expect(before.endsWith("new\n<!-- layers: end -->\ntail\n")).toBe(true);
  expect(replaceSection(before, "new\n")).toBe(before);
});

test("refuses a document without the marks", () => {
  expect(() => replaceSection("no marks here", "x")).toThrow(/missing/);
});
