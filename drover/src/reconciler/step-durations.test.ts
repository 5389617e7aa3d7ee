import { DroverError } from "@drover/contract";
import { expect, it } from "vitest";
import { fakeStep } from "../../test/fake-step.ts";
import { StepDurations } from "./step-durations.ts";

const steps = [fakeStep("a", [], { name: "pull" }), fakeStep("b", [], { name: "pull" }), fakeStep("c")];
const settle = () => new Promise((resolve) => setImmediate(resolve));

function withStore(answers: readonly (ReadonlyMap<string, number> | Error)[]) {
  const asked: { provider: string; names: readonly string[] }[] = [];
  const clock = { at: 0, now: () => 0, monotonic: () => clock.at };
  const usualDurations = async (query: { provider: string; names: readonly string[] }) => {
    const answer = answers[asked.push(query) - 1] ?? new Map<string, number>();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, clock, durations: new StepDurations({ usualDurations }, clock) };
}

it("asks once for all jobs that begin together, and each name once", async () => {
  const { asked, durations } = withStore([new Map([["pull", 700]])]);
  const first = durations.of("kind", steps);
  const second = durations.of("kind", steps);
  expect(first("pull")).toBeNull();
  await settle();
  expect([first("pull"), second("pull"), first("fake")]).toEqual([700, 700, null]);
  expect(asked).toEqual([{ provider: "kind", names: ["pull", "fake"] }]);
});

it("keeps providers apart, and asks again when what it knows is old", async () => {
  const { asked, clock, durations } = withStore([new Map([["pull", 700]]), new Map(), new Map([["pull", 900]])]);
  durations.of("kind", steps);
  await settle();
  expect(durations.of("k3d", steps)("pull")).toBeNull();
  clock.at = 120_000;
  const later = durations.of("kind", steps);
  expect(later("pull")).toBe(700);
  await settle();
  expect(later("pull")).toBe(900);
  expect(asked.map(({ provider }) => provider)).toEqual(["kind", "k3d", "kind"]);
});

it("does without while the store is away", async () => {
  const { durations } = withStore([new DroverError("store-unreachable", "It is away.")]);
  const durationOf = durations.of("kind", steps);
  await settle();
  expect(durationOf("pull")).toBeNull();
});
