import { describe, expect, it } from "vitest";
import { SimulatedBench, simulatedCluster, simulatedSpec } from "../../../test/simulated-bench.ts";
import type { Module } from "../../domain/pipeline.ts";
import { unseen } from "../../domain/sighting.ts";
import { planSimulated } from "./plan.ts";

/** A plan as one would read it aloud. */
const read = (modules: readonly Module[]): readonly string[] =>
  modules.flatMap(({ title, tasks }) => [
    `${title}:`,
    ...tasks.filter(({ steps }) => steps.length > 0).map(({ steps }) => steps.map((use) => use.title).join(" | ")),
  ]);

const at = (version: string, more: Record<string, number> = {}) =>
  simulatedCluster("dev", simulatedSpec({ controlPlanes: 1, workers: 2, ...more }, { kubernetes: { version } }));

async function planAfter(made: ReturnType<typeof at>, cluster: ReturnType<typeof at>, kind: "update" | "upgrade") {
  const bench = new SimulatedBench();
  await bench.runJob(made, "create");
  return read(planSimulated(cluster, { kind, observed: await bench.look(cluster) }));
}

describe("the plan of a simulated cluster", () => {
  it("makes everything, one control plane after the other and the workers side by side", () => {
    const cluster = simulatedCluster("dev", simulatedSpec({ controlPlanes: 3, workers: 2 }));
    expect(read(planSimulated(cluster, { kind: "create", observed: unseen("") }))).toEqual([
      "Take charge:",
      "Shut out older workers",
      "Make the cluster:",
      "Create the cluster",
      "Start simulated-dev-control-plane-1",
      "Start simulated-dev-control-plane-2",
      "Start simulated-dev-control-plane-3",
      "Start simulated-dev-worker-1 | Start simulated-dev-worker-2",
      "Settle the cluster:",
      "Remove nodes that are not declared",
      "Configure the networks",
      "Mark the cluster as complete",
    ]);
  });

  it("adds only what was not seen", async () => {
    const steps = await planAfter(at("v1.35.0"), at("v1.35.0", { workers: 3 }), "update");
    expect(steps.filter((title) => title.startsWith("Start"))).toEqual(["Start simulated-dev-worker-3"]);
  });

  it("goes through every minor, control planes one at a time, then workers in waves", async () => {
    const large = { controlPlanes: 3, workers: 4 };
    const steps = await planAfter(at("v1.33.2", large), at("v1.35.1", large), "upgrade");
    const hop = [
      "Upgrade simulated-dev-control-plane-1",
      "Upgrade simulated-dev-control-plane-2",
      "Upgrade simulated-dev-control-plane-3",
      "Upgrade simulated-dev-worker-1 | Upgrade simulated-dev-worker-2 | Upgrade simulated-dev-worker-3",
      "Upgrade simulated-dev-worker-4",
    ];
    const start = steps.indexOf("Upgrade to v1.34.0:");
    expect(steps.slice(start, start + 12)).toEqual(["Upgrade to v1.34.0:", ...hop, "Upgrade to v1.35.1:", ...hop]);
  });

  it("goes on with an upgrade that was cut off at the nodes that are behind", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(at("v1.34.0"), "create");
    const newer = at("v1.35.0");
    const { plan } = await bench.plan(newer, "upgrade");
    const until = plan.steps.findIndex(({ name }) => name === "upgrade-simulated-node") + 1;
    await bench.runSteps(newer, plan.steps.slice(0, until), bench.newJob("upgrade"));
    const rest = read(planSimulated(newer, { kind: "upgrade", observed: await bench.look(newer) }));
    expect(rest.filter((title) => title.startsWith("Upgrade s"))).toEqual([
      "Upgrade simulated-dev-worker-1 | Upgrade simulated-dev-worker-2",
    ]);
  });

  it("raises what a cut-off creation left to the version that is wanted now, and clears away what is newer", async () => {
    for (const [before, now] of [
      ["v1.34.0", "v1.35.0"],
      ["v1.35.0", "v1.34.0"],
    ] as const) {
      const bench = new SimulatedBench();
      const { plan } = await bench.plan(at(before), "create");
      await bench.runSteps(at(before), plan.steps.slice(0, 4), bench.newJob("create"));
      await bench.runJob(at(now), "create");
      expect(await bench.look(at(now))).toMatchObject({ complete: true, drift: [], kubernetesVersion: now });
      expect(bench.audit().doubles).toEqual([]);
    }
  });

  it("gives every step a little longer than its calls can take", () => {
    const latency = { minimumMs: 0, maximumMs: 3_000 };
    const cluster = simulatedCluster("dev", simulatedSpec({ controlPlanes: 1, workers: 3, latency }));
    const modules = planSimulated(cluster, { kind: "delete", observed: unseen("") });
    const deadlines = modules.flatMap(({ tasks }) => tasks.flatMap(({ steps }) => steps.map((use) => use.deadlineMs)));
    expect(deadlines).toEqual([13_000, 22_000, 13_000]);
  });

  it("keeps the version that is there when the spec names none", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(at("v1.33.0"), "create");
    const cluster = simulatedCluster("dev", simulatedSpec({ workers: 3 }));
    await bench.runJob(cluster, "update");
    const { body } = await bench.look(cluster);
    const nodes = body.nodes as unknown as readonly { version: string }[];
    expect(new Set(nodes.map(({ version }) => version))).toEqual(new Set(["v1.33.0"]));
  });

  it("does not go back to an older version", async () => {
    await expect(planAfter(at("v1.35.0"), at("v1.34.0"), "upgrade")).rejects.toMatchObject({
      code: "change-forbidden",
      message: expect.stringContaining("cannot go back"),
    });
  });

  it("refuses what simulated clusters do not know", () => {
    const request = { kind: "backup", observed: unseen("") } as const;
    expect(() => planSimulated(simulatedCluster("dev"), request)).toThrow("A simulated cluster knows no backup.");
  });
});
