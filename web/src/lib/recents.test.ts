import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { noteRecent, readRecents } from "./recents.ts";

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("keeps the last five places, each once, newest first", () => {
  for (const name of ["a", "b", "c", "d", "e", "b", "f"]) noteRecent({ to: `/clusters/${name}`, label: name });
  expect(readRecents().map(({ label }) => label)).toEqual(["f", "b", "e", "d", "c"]);
});

it.each(["nonsense", "{}", "null", '[1, {"to": "//elsewhere", "label": "x"}, {"to": "/a"}]'])(
  "takes nothing from %j",
  (stored) => {
    kept.set("drover.recents", stored);
    expect(readRecents()).toEqual([]);
  },
);
