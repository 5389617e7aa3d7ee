import { expect, it } from "vitest";
import type { Step } from "../../src/ports/step.ts";
import { simulatedSpec } from "../simulated-bench.ts";
import { openWorld } from "./open-world.ts";

it("errors are not cut at 200 characters, neither in the job nor in its report nor where the cluster is shown", async () => {
  const why = `${"The machine said no. ".repeat(100)}That was the end of it.`;
  const sayMuch = (step: Step): Step => ({ ...step, run: () => Promise.reject(new Error(why)) });
  const world = await openWorld();
  world.startWorker({ changeStep: (step) => (step.name === "create-simulated-cluster" ? sayMuch(step) : step) });
  await world.declare("dev", simulatedSpec());
  await world.until(async () => (await world.lastJob("dev")).state === "Failed");
  await world.pass(60_000);
  const { error, report } = await world.lastJob("dev");
  expect(error?.message).toContain(why);
  expect(JSON.stringify(report)).toContain(why);
  expect((await world.cluster("dev")).lastError).toContain(why);
});
