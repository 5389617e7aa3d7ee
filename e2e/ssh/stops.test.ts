import { describe, expect, it } from "vitest";
import { until } from "../docker/support/cluster.ts";
import { describeOnMachines } from "./support/documents.ts";
import { isFinished } from "./support/jobs.ts";
import { MACHINES, type Machine, NEWER, OLDER } from "./support/machines.ts";
import { useMachines } from "./support/world.ts";

const [first, second] = MACHINES as readonly [Machine, Machine];
const all = [first, second];
const world = useMachines("e2e-stop", all);

async function declare(version: string): Promise<void> {
  await world.declare(describeOnMachines(world.name, { version, controlPlanes: [first], workers: [second] }));
}

/** What the newest job ended with, once it was cancelled at that share of its steps. */
async function cancelAt(kind: string, share: number, ...flags: readonly string[]): Promise<string | undefined> {
  await world.waitForShare(kind, share);
  await world.place.must("cancel", world.name, "--wait", ...flags);
  const { state, error, steps } = await world.waitForJob(({ state }) => state === "Canceled", "the end");
  process.stdout.write(`${kind} ${state} as ${error?.code}, ${steps.filter(isFinished).length} of ${steps.length}\n`);
  return error?.code;
}

describe("a create that is cancelled", () => {
  it("takes back what it has made, and can be begun again", async () => {
    await declare(OLDER);
    expect(await cancelAt("create", 0.45)).toBe("job-taken-back");
    await world.expectAsFound();
    await world.place.must("retry", world.name);
    expect(await cancelAt("create", 0.6, "--keep")).toBe("job-cut-off");
  });

  it("can be deleted from there", async () => {
    await world.delete();
    await world.expectAsFound();
  });

  it("can be continued from there", async () => {
    await declare(OLDER);
    expect(await cancelAt("create", 0.6, "--keep")).toBe("job-cut-off");
    await world.place.must("retry", world.name, "--wait");
    await world.cluster.waitForNodes(2);
  });
});

async function expectAnswers(): Promise<void> {
  const readyNodes = () => world.kubectlFromBefore("get", "nodes", "--no-headers").match(/ Ready/g);
  await until(() => readyNodes()?.length === 2, "the cluster to answer");
}

describe("an upgrade that is cancelled", () => {
  it("leaves a cluster that answers, and can be continued", async () => {
    await declare(NEWER);
    expect(await cancelAt("upgrade", 0.2)).toBe("job-cut-off");
    await expectAnswers();
    await world.place.must("retry", world.name);
    expect(await cancelAt("upgrade", 0.3)).toBe("job-cut-off");
    await expectAnswers();
  });

  it("can be deleted from there, and leaves the machines as they were found", async () => {
    await world.delete();
    await world.expectAsFound();
  });
});
