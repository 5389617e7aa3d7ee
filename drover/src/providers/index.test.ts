import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROVIDERS as DECLARABLE } from "@drover/contract";
import { expect, it } from "vitest";
import { systemClock } from "../ports/clock.ts";
import { systemTimer } from "../ports/timer.ts";
import { makeProviders, PROVIDERS } from "./index.ts";
import { MemoryWorld } from "./simulated/memory-world.ts";

const parts = { clock: systemClock, timer: systemTimer, simulated: { world: new MemoryWorld(systemClock) } };

it("has a line for every folder, and a folder for every line", () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(Object.keys(PROVIDERS).sort()).toEqual(folders.sort());
});

it("makes each provider under its own id, which a spec can name", () => {
  const providers = makeProviders(parts);
  for (const [id, provider] of providers) expect(provider.id).toBe(id);
  expect([...providers.keys()].filter((id) => !DECLARABLE.some((known) => known === id))).toEqual([]);
});

it("gives steps names that no two providers share", () => {
  const names = [...makeProviders(parts).values()].flatMap(({ steps }) => steps.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});

it("holds every provider to the rules that are written down, and writes down every rule it holds them to", () => {
  const root = join(import.meta.dirname, "../../..");
  const rules = (file: string, form: RegExp) =>
    [...new Set(readFileSync(join(root, file), "utf8").match(form))].map((text) => text.replace(/[^P\d]/g, "")).sort();
  const written = rules("docs/contracts/provider.md", /\*\*P\d+\*\*/g);
  expect(rules("drover/src/ports/provider.conformance.ts", /"P\d+:/g)).toEqual(written);
  expect(written.length).toBeGreaterThan(10);
});
