import { beforeEach, expect, it, onTestFinished } from "vitest";
import { FakeMachineWorld } from "../../../test/fake-machines/world.ts";
import { ManualTimer } from "../../../test/manual-timer.ts";
import type { StepContext } from "../../ports/step.ts";
import { whileReachable } from "./while-reachable.ts";

let timer: ManualTimer;

let world: FakeMachineWorld;
let context: StepContext;
beforeEach(async () => {
  timer = new ManualTimer();
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
  const ended = whileReachable(timer, context, work);
  ended.catch(() => {});
  await expect.poll(() => timer.waiting.size).toBe(1);
  world.machine("w-1").isCutOff = true;
  timer.pass();
  await expect(ended).rejects.toMatchObject({ reason: "unreachable" });
  await expect.poll(() => stopped).toBe(true);
});

it("answers what the work answers, and watches no longer", async () => {
  const { ran } = world.machine("w-1");
  const work = async () => {
    // The first look is over, the next one is waited for.
    await expect.poll(() => timer.waiting.size).toBe(1);
    return ran.length;
  };
  expect(await whileReachable(timer, context, work)).toBe(ran.length);
  expect(timer.waiting.size).toBe(0);
});
