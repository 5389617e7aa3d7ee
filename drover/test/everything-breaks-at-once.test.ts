import { expect, it } from "vitest";
import { DEFAULT_BREAKER } from "../src/domain/circuit-breaker.ts";
import { simulatedSpec } from "./simulated-bench.ts";
import { openWorld } from "./weaknesses/open-world.ts";

const NAMES = ["anna", "bert", "cora", "dave", "emil", "fred"];

it("when everything breaks at once, nothing is repaired for a while, then one, then all the others", async () => {
  const world = await openWorld();
  const worker = world.startWorker();
  for (const name of NAMES) await world.declare(name, simulatedSpec());
  for (const name of NAMES) await world.untilPhase(name, "Running");
  worker.kill({ unheard: true });
  for (const name of NAMES) world.disturb(await world.cluster(name), "cluster-lost");
  // By then all of them are due, and are looked at together.
  await world.pass(120_000);
  world.startWorker();
  const countRepairs = () => world.simulation.query("select 1 from jobs where kind = 'repair'").length;
  await world.pass(DEFAULT_BREAKER.pauseMs - 1_000);
  expect(countRepairs()).toBe(0);
  for (const name of NAMES) {
    const { conditions, modifiers } = await world.cluster(name);
    const stalled = conditions.find(({ type }) => type === "Stalled");
    expect([stalled?.status, stalled?.reason]).toEqual(["True", "CircuitOpen"]);
    expect(stalled?.message).toMatch(/^6 of 6 clusters look broken at once\. Repairs wait until one of them is tried/);
    expect(modifiers).toContain("Stalled");
  }
  await world.until(() => countRepairs() > 0, 60_000);
  expect(countRepairs()).toBe(1);
  for (const name of NAMES) await world.untilPhase(name, "Running", 2 * DEFAULT_BREAKER.trialMs);
  expect(countRepairs()).toBe(NAMES.length);
  for (const name of NAMES) expect((await world.cluster(name)).modifiers).not.toContain("Stalled");
  expect(world.wrongs()).toEqual([]);
});
