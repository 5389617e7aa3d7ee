import { expect, test } from "vitest";
import { ROOT } from "../lib/paths.mjs";
import { findLayer, type Layer, loadLayers, makeTable } from "./table.ts";

const make = (...layers: Layer[]) => makeTable({ layers, workshops: [], packages: {}, guarded: {} });
const layer = (name: string, on: string[], more: Partial<Layer> = {}): Layer => ({ name, folder: name, on, ...more });

test("a layer reaches what it stands on, all the way down", () => {
  const table = make(layer("a", []), layer("b", ["a"]), layer("c", ["b"]));
  expect([...(table.reach.get("c") ?? [])].sort()).toEqual(["a", "b", "c"]);
  expect([...(table.reach.get("a") ?? [])]).toEqual(["a"]);
});

test("refuses a table that goes in a circle, names an unknown layer, or joins two adapters", () => {
  expect(() => make(layer("a", ["b"]), layer("b", ["a"]))).toThrow("a → b → a");
  expect(() => make(layer("a", ["x"]))).toThrow('"a" stands on "x", which is no layer');
  expect(() => make(layer("a", [], { adapter: true }), layer("b", ["a"], { adapter: true }))).toThrow(/adapter "b"/);
});

test("a file belongs to the longest folder that holds it", () => {
  const table = make(layer("drover", []), layer("drover/src/http", []));
  expect(findLayer(table, "drover/src/http/server.ts")?.name).toBe("drover/src/http");
  expect(findLayer(table, "drover/src/https.ts")?.name).toBe("drover");
  expect(findLayer(table, "elsewhere/x.ts")).toBeUndefined();
});

test("the front doors cannot reach anything that executes", () => {
  const { reach } = loadLayers(ROOT);
  for (const door of ["http", "cli", "operator", "web/app"]) {
    for (const executor of ["engine", "reconciler", "connectors", "providers", "integrations"]) {
      expect(reach.get(door)?.has(executor), `${door} → ${executor}`).toBe(false);
    }
  }
});
