import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { until } from "../docker/support/cluster.ts";
import { describeOnMachines } from "./support/documents.ts";
import { isFinished, type SeenJob, type SeenStep, workingSteps } from "./support/jobs.ts";
import { MACHINES, type Machine, NEWER, OLDER } from "./support/machines.ts";
import { useMachines } from "./support/world.ts";

/** How often Drover is killed: two fifths in a create, two in an upgrade, the rest in a delete. */
const KILLS = Number(process.env.DROVER_E2E_KILLS ?? 3);
const WORKING = Math.max(1, Math.round(KILLS * 0.4));
const DELETING = Math.max(1, KILLS - 2 * WORKING);

const [first, second] = MACHINES as readonly [Machine, Machine];
const all = [first, second];
const world = useMachines("e2e-kill", all);

/** So many different numbers below another, in order. */
function pick(count: number, below: number): readonly number[] {
  const all = Array.from({ length: below }, (_, index) => index);
  while (all.length > count) all.splice(Math.floor(Math.random() * all.length), 1);
  return all;
}

const show = ({ kind, steps }: SeenJob): string => {
  const running = steps.filter(({ state }) => state === "Running").map(({ title }) => title);
  return `${kind}, ${steps.filter(isFinished).length} of ${steps.length} steps done, in ${running.join(", ") || "between steps"}`;
};

/** Kills it so often, each time while another step runs, somewhere in that step. */
async function killWhile(kind: string, times: number): Promise<void> {
  const planned = await world.waitForJob((job) => job.kind === kind && job.steps.length > 0, `the ${kind}`);
  // A delete is over soon: it is cut off early, and while machines are released.
  const [length, within] = kind === "delete" ? [times, 1_000] : [workingSteps(planned).length, 4_000];
  for (const at of pick(times, length)) await killIn(planned.id, at, within);
}

async function killIn(jobId: string, at: number, within: number): Promise<void> {
  await world.waitForJob(({ id, steps }) => id === jobId && isBegun(steps[at]), `step ${at}`);
  await sleep(Math.random() * within);
  const cut = (await world.newestJob()) as SeenJob;
  process.stdout.write(`killing: ${show(cut)}\n`);
  await world.kill();
  await expectGoingOn(cut);
}

const isBegun = (step: SeenStep | undefined): boolean => step !== undefined && step.state !== "Pending";

/** The same job, and nothing that was done is done again. */
async function expectGoingOn(cut: SeenJob): Promise<void> {
  const now = (await world.newestJob()) as SeenJob;
  expect(now.id).toBe(cut.id);
  const done = (job: SeenJob, ids: ReadonlySet<string>) =>
    job.steps.filter(({ id }) => ids.has(id)).map(({ id, state, finishedTime }) => ({ id, state, finishedTime }));
  const ids = new Set(cut.steps.filter(isFinished).map(({ id }) => id));
  expect(done(now, ids)).toEqual(done(cut, ids));
}

async function declare(version: string): Promise<void> {
  await world.declare(describeOnMachines(world.name, { version, controlPlanes: [first], workers: [second] }));
}

const settle = async (version: string) =>
  await until(
    async () => {
      const { status } = await world.cluster.show();
      return status.phase === "Running" && status.kubernetesVersion === version && status.nodes?.ready === 2;
    },
    `${world.name} to run ${version}`,
    900_000,
  );

describe(`a Drover that is killed ${2 * WORKING + DELETING} times while it works on machines`, () => {
  it("goes on where it was, in a create", async () => {
    await declare(OLDER);
    await killWhile("create", WORKING);
    await settle(OLDER);
    expect((await world.cluster.show()).status.nodes).toMatchObject({ total: 2, ready: 2 });
  }, 1_800_000);

  it("goes on where it was, in an upgrade", async () => {
    await declare(NEWER);
    await killWhile("upgrade", WORKING);
    await settle(NEWER);
    await until(async () => (await world.kubectl("get", "nodes")).split(NEWER).length === 3, "both kubelets");
    expect((await world.cluster.show()).status.nodes).toMatchObject({ total: 2, ready: 2 });
  }, 1_800_000);

  it("goes on where it was, in a delete, and the machines are as they were found", async () => {
    await world.place.must("delete", world.name, "--yes");
    await killWhile("delete", DELETING);
    const isGone = async () => !(await world.place.must("get", "clusters")).includes(world.name);
    await until(isGone, `${world.name} to be gone`, 300_000);
    await world.expectAsFound();
  }, 900_000);
});
