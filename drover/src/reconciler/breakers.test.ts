import { beforeEach, describe, expect, it } from "vitest";
import { simulatedSpec } from "../../test/simulated-bench.ts";
import { DEFAULT_BREAKER } from "../domain/circuit-breaker.ts";
import { type Sighting, unseen } from "../domain/sighting.ts";
import type { ClusterRecord } from "../ports/store/index.ts";
import { Breakers } from "./breakers.ts";

const { pauseMs, trialMs } = DEFAULT_BREAKER;
const NAMES = ["anna", "bert", "cora", "dave"];
const absent: Sighting = { ...unseen(""), presence: "absent" };
const whole: Sighting = { ...unseen(""), presence: "present", complete: true };
const drifted: Sighting = { ...whole, drift: [{ path: "spec.kubernetes.version", desired: "2", actual: "1" }] };

const clusterOf = (name: string) =>
  ({
    ...{ id: name, name, provider: "simulated", desiredState: "present" },
    ...{ generation: 1, observedGeneration: 1, spec: simulatedSpec() },
  }) as ClusterRecord;
const seen = (name: string, sighting: Sighting) => ({ cluster: clusterOf(name), sighting });

let now: number;
let opened: string[];
let breakers: Breakers;
beforeEach(() => {
  now = 50;
  opened = [];
  breakers = new Breakers({ monotonic: () => now }, (_, { why }) => opened.push(why));
});

const isAllowed = (name: string) => breakers.allow(clusterOf(name), async () => true);

/** All are gone; the pause is over; a repair of the first one was put in line, for whoever takes it. */
async function beginTrial(): Promise<void> {
  breakers.judge(NAMES.map((name) => seen(name, absent)));
  expect(await isAllowed("anna")).toBe(false);
  now += pauseMs;
  expect(await isAllowed("anna")).toBe(true);
  expect(await isAllowed("bert")).toBe(false);
}

describe("the breakers of a worker", () => {
  it("say once that they open, and why", async () => {
    breakers.judge(NAMES.map((name) => seen(name, absent)));
    breakers.judge(NAMES.map((name) => seen(name, absent)));
    expect(opened).toEqual(["4 of 4 clusters look broken at once."]);
  });

  it("close when the cluster of the trial is seen to be whole, whichever worker had the job", async () => {
    await beginTrial();
    breakers.judge([seen("anna", whole)]);
    expect(await isAllowed("bert")).toBe(true);
    expect(await isAllowed("cora")).toBe(true);
  });

  it.each([
    ["gone", absent],
    ["different", drifted],
  ])("stay open for another pause when the cluster of the trial is seen to be %s still", async (_, sighting) => {
    await beginTrial();
    breakers.judge([seen("anna", sighting)]);
    now += pauseMs - 1;
    expect(await isAllowed("bert")).toBe(false);
    now += 1;
    expect(await isAllowed("bert")).toBe(true);
  });

  it("learn nothing from other clusters, nor from a look at nothing, while there is a trial", async () => {
    await beginTrial();
    breakers.judge([seen("bert", whole), seen("anna", unseen("Nobody answers."))]);
    expect(await isAllowed("cora")).toBe(false);
  });

  it("try again when nobody ever hears of the trial", async () => {
    await beginTrial();
    now += trialMs - 1;
    expect(await isAllowed("bert")).toBe(false);
    now += 1;
    expect(await isAllowed("bert")).toBe(true);
  });

  it("do not take for a trial what somebody else was faster to begin", async () => {
    breakers.judge(NAMES.map((name) => seen(name, absent)));
    now += pauseMs;
    expect(await breakers.allow(clusterOf("anna"), async () => false)).toBe(false);
    expect(await isAllowed("bert")).toBe(true);
  });

  it("take for a trial what may have been begun", async () => {
    breakers.judge(NAMES.map((name) => seen(name, absent)));
    now += pauseMs;
    const lost = breakers.allow(clusterOf("anna"), () => Promise.reject(new Error("The answer was lost.")));
    await expect(lost).rejects.toThrow("The answer was lost.");
    expect(await isAllowed("bert")).toBe(false);
  });
});
