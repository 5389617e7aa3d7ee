import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { SimulatedBench } from "../../test/simulated-bench.ts";
import type { Provider } from "../ports/provider.ts";
import { registerSteps } from "./index.ts";

it("registers a step for every file here, under the name of the file", () => {
  const files = readdirSync(import.meta.dirname).filter((file) => /^(?!index).*(?<!\.test)\.ts$/.test(file));
  const { registry } = new SimulatedBench();
  expect(files.map((file) => file.replace(/\.ts$/, "")).filter((name) => !registry.has(name))).toEqual([]);
  for (const [name, step] of registry) expect(step.name).toBe(name);
});

it("refuses two steps of one name", () => {
  const { provider, time } = new SimulatedBench();
  const twin: Provider = { ...provider, id: "twin" };
  const providers = new Map([provider, twin].map((one) => [one.id, one]));
  expect(() => registerSteps({ providers, clock: time, timer: time })).toThrow(
    "Two steps are called shut-out-older-workers",
  );
});
