import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Fault, SimulatedBench, simulatedCluster, simulatedSpec } from "../../../../test/simulated-bench.ts";
import type { PlanStep } from "../../../domain/plan.ts";

const at = (version: string, simulated: Parameters<typeof simulatedSpec>[0] = {}) =>
  simulatedCluster("dev", simulatedSpec({ workers: 1, ...simulated }, { kubernetes: { version } }));
const cluster = at("v1.35.0");

const states = (bench: SimulatedBench) => bench.steps.ledger.rows.map(({ ref, state }) => [ref, state]);

it("has a step for every file that is named like one", () => {
  const files = readdirSync(import.meta.dirname).filter(
    (file) => !/^(index|things|switch-cluster)\.ts$|\.test\.ts$/.test(file),
  );
  const names = new SimulatedBench().provider.steps.map(({ name }) => name);
  expect(names.sort()).toEqual(files.map((file) => file.replace(/\.ts$/, "")).sort());
});

describe("making", () => {
  it("is not believed before it is seen, and is done by the next run", async () => {
    const bench = new SimulatedBench();
    const faults: Fault[] = [{ operation: "create", effect: "nothing-yet-succeeds", times: 1 }];
    const lied = at("v1.35.0", { faults });
    const run = bench.newJob("create");
    await expect(bench.runJob(lied, "create", run)).rejects.toMatchObject({ code: "step-not-verified" });
    expect(states(bench)).toEqual([["dev", "intended"]]);
    await bench.runJob(lied, "create", run);
    expect(states(bench).map(([, state]) => state)).toEqual(["present", "present", "present"]);
  });

  it("that was reported as failed although it was done is taken over", async () => {
    const bench = new SimulatedBench();
    const faults: Fault[] = [{ operation: "create", effect: "done-yet-fails", times: 3 }];
    const lied = at("v1.35.0", { faults });
    const run = bench.newJob("create");
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(bench.runJob(lied, "create", run)).rejects.toMatchObject({ code: "step-failed" });
    }
    await bench.runJob(lied, "create", run);
    expect(bench.audit().clusters.get(cluster.id)).toMatchObject({ creates: 1, deletes: 0 });
    expect(bench.audit().doubles).toEqual([]);
  });
});

describe("taking back", () => {
  it("leaves no way for a worker that was stopped before it could make the thing to make it afterwards", async () => {
    const bench = new SimulatedBench();
    const { plan } = await bench.plan(cluster, "create");
    const [, create] = plan.steps as readonly [PlanStep, PlanStep];
    const old = bench.newJob("create");
    await bench.runSteps(cluster, plan.steps.slice(0, 1), old);
    await bench.time.run(bench.steps.undoSteps(cluster, [create], { ...old, token: old.token + 1 }));
    const late = { ...old, ...{ clusterId: cluster.id, clusterName: "dev", operation: null, input: {} } };
    const [made] = bench.world.append([{ ...late, call: "create-cluster", key: `${old.jobId}/${create.id}` }]);
    expect(made).toMatchObject({ effect: "refused" });
    expect(bench.audit().clusters.get(cluster.id)?.live ?? []).toEqual([]);
  });

  it("does not say that something is gone which the cloud has only said to be", async () => {
    const bench = new SimulatedBench();
    const faults: Fault[] = [{ operation: "create", effect: "nothing-yet-succeeds", after: 1, times: 1 }];
    const lied = at("v1.35.0", { faults });
    const { plan } = await bench.plan(lied, "create");
    const run = bench.newJob("create");
    await bench.runSteps(lied, plan.steps.slice(0, 2), run);
    const undo = () => bench.time.run(bench.steps.undoSteps(lied, plan.steps.slice(0, 2), run));
    await expect(undo()).rejects.toMatchObject({ code: "step-failed" });
    expect(states(bench)).toEqual([["dev", "present"]]);
    await undo();
    expect(states(bench)).toEqual([["dev", "gone"]]);
  });

  it("leaves what the cancelled job had found", async () => {
    const bench = new SimulatedBench();
    const { plan } = await bench.plan(cluster, "create");
    await bench.runSteps(cluster, plan.steps.slice(0, 3), bench.newJob("create"));
    const cancelled = bench.newJob("create");
    await bench.runSteps(cluster, plan.steps.slice(0, 4), cancelled);
    await bench.time.run(bench.steps.undoSteps(cluster, plan.steps.slice(0, 4), cancelled));
    expect(states(bench)).toEqual([
      ["dev", "present"],
      ["dev/simulated-dev-control-plane-1", "present"],
      ["dev/simulated-dev-worker-1", "gone"],
    ]);
    const live = bench.audit().clusters.get(cluster.id)?.live ?? [];
    expect(live.map(({ name }) => name)).toEqual(["dev", "simulated-dev-control-plane-1"]);
  });
});

describe("removing", () => {
  it("drains workers before control planes, the youngest first", async () => {
    const bench = new SimulatedBench();
    const large = at("v1.35.0", { controlPlanes: 3, workers: 2 });
    await bench.runJob(large, "create");
    await bench.runJob(large, "delete");
    const removed = bench.records.filter(({ effect }) => effect === "removed").map(({ objects }) => objects[0]?.name);
    expect(removed).toEqual([
      "simulated-dev-worker-2",
      "simulated-dev-worker-1",
      "simulated-dev-control-plane-3",
      "simulated-dev-control-plane-2",
      "simulated-dev-control-plane-1",
      "dev",
    ]);
  });

  it("writes off a node that vanished and is no longer declared", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(at("v1.35.0", { workers: 2 }), "create");
    bench.disturb(cluster, { disturbance: "node-lost", node: "simulated-dev-worker-2" });
    await bench.runJob(cluster, "update");
    expect(states(bench)).toContainEqual(["dev/simulated-dev-worker-2", "gone"]);
  });

  it("ends a cluster of which there are two", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(cluster, "create");
    const mark = { clusterId: cluster.id, clusterName: "dev", token: null, input: {} };
    bench.world.append([{ call: "create-cluster", operation: null, key: "by mistake", ...mark }]);
    expect((await bench.look(cluster)).drift).toEqual([
      { path: "metadata.name", desired: "1 cluster", actual: "2 clusters" },
    ]);
    await bench.runJob(cluster, "delete");
    expect(bench.audit().clusters.get(cluster.id)?.live).toEqual([]);
  });
});

describe("upgrading", () => {
  it("never takes a node back that is ahead, however far behind the others are", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(at("v1.33.0"), "create");
    const newest = at("v1.35.0");
    const { plan } = await bench.plan(newest, "upgrade");
    const controlPlane = plan.steps.filter(({ title }) => title.includes("control-plane"));
    const run = bench.newJob("upgrade");
    await bench.runSteps(newest, controlPlane, run);
    const outcomes = await bench.runSteps(newest, plan.steps, run);
    const skipped = outcomes.filter(({ id }) => controlPlane.some((step) => step.id === id));
    expect(skipped.map(({ state }) => state)).toEqual(["Skipped", "Skipped"]);
    expect((await bench.look(newest)).drift).toEqual([]);
  });

  it("passes over a node that was lost meanwhile", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(at("v1.34.0"), "create");
    const { plan } = await bench.plan(cluster, "upgrade");
    bench.disturb(cluster, { disturbance: "node-lost", node: "simulated-dev-worker-1" });
    await bench.runSteps(cluster, plan.steps, bench.newJob("upgrade"));
    expect((await bench.look(cluster)).drift.map(({ path }) => path)).toEqual(["spec.simulated.workers"]);
    await bench.runJob(cluster, "repair");
    expect((await bench.look(cluster)).drift).toEqual([]);
  });
});
