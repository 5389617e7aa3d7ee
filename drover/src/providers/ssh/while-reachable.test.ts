import { beforeEach, expect, it, onTestFinished } from "vitest";
import { FakeMachineWorld } from "../../../test/fake-machines/world.ts";
import type { StepContext } from "../../ports/step.ts";
import type { Timer } from "../../ports/timer.ts";
import { whileReachable } from "./while-reachable.ts";

const soon: Timer = {
  after: (_ms, callback) => {
    const handle = setTimeout(callback, 1);
    return () => clearTimeout(handle);
  },
};

let world: FakeMachineWorld;
let context: StepContext;
beforeEach(async () => {
  world = await FakeMachineWorld.open();
  const { signal } = new AbortController();
  const machine = world.machine("w-1");
  context = { step: { host: "w-1" }, signal, connect: async () => machine } as unknown as StepContext;
  onTestFinished(() => world.dispose());
});

const untilStopped = ({ signal }: StepContext) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));

it("gives up work about a machine that is gone, says so, and stops the work", async () => {
  let stopped = false;
  const work = async (within: StepContext) =>
    await untilStopped(within).catch(() => {
      stopped = true;
    });
  const ended = whileReachable(soon, context, work);
  world.machine("w-1").isCutOff = true;
  await expect(ended).rejects.toMatchObject({ reason: "unreachable" });
  await expect.poll(() => stopped).toBe(true);
});

it("answers what the work answers, and watches no longer", async () => {
  expect(await whileReachable(soon, context, async () => 42)).toBe(42);
  const { ran } = world.machine("w-1");
  const count = ran.length;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ran.length - count).toBeLessThan(6);
});
