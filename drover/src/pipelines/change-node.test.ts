import type { ClusterSpec } from "@drover/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { FakeObjects } from "../../test/fake-kubernetes/fake-objects.ts";
import { memoryKubernetes } from "../../test/fake-kubernetes/memory-kubernetes.ts";
import { SimulatedBench, simulatedCluster, simulatedSpec } from "../../test/simulated-bench.ts";
import { SimulatedTime } from "../../test/simulated-time.ts";
import { BenchLedger, StepBench, type StepOutcome } from "../../test/step-bench.ts";
import type { Provider, ProviderCluster } from "../ports/provider.ts";
import { DRAIN_PATIENCE_MS, registerSteps } from "../steps/index.ts";
import { type NodeChange, planNodeChange } from "./change-node.ts";

const cluster: ProviderCluster = {
  ...{ id: "c1", name: "dev", generation: 1 },
  spec: { provider: "fake" } as unknown as ClusterSpec,
};

let objects: FakeObjects;
let time: SimulatedTime;
let bench: StepBench;

beforeEach(() => {
  objects = new FakeObjects();
  objects.addNode("n1");
  objects.addNode("n2");
  time = new SimulatedTime(Date.parse("2026-01-02T00:00:00Z"));
  const provider = { id: "fake", steps: [], kubeconfig: async () => "kind: Config" } as unknown as Provider;
  const providers = new Map([[provider.id, provider]]);
  const registry = registerSteps({ providers, kubernetes: memoryKubernetes(objects), clock: time, timer: time });
  bench = new StepBench(registry, new BenchLedger(time), time);
});

function run(action: NodeChange["action"], node = "n1", force = false): Promise<readonly StepOutcome[]> {
  const { plan } = planNodeChange({ specHash: "hash" }, { action, node, force });
  return time.run(bench.runSteps(cluster, plan.steps, { jobId: "j1", kind: action, token: 1 }));
}

const isCordoned = (node: string) => objects.find(`/api/v1/nodes/${node}`)?.spec?.["unschedulable"] === true;
const podsLeft = () => objects.paths.filter((path) => path.includes("/pods/")).map((path) => path.split("/").at(-1));
const statesOf = (outcomes: readonly StepOutcome[]) => outcomes.map(({ name, state }) => [name, state]);

describe("cordoning", () => {
  it("keeps new pods away from the node and no other, once", async () => {
    expect(statesOf(await run("cordon"))).toEqual([["cordon-node", "Succeeded"]]);
    expect([isCordoned("n1"), isCordoned("n2")]).toEqual([true, false]);
    expect(statesOf(await run("cordon"))).toEqual([["cordon-node", "Skipped"]]);
  });

  it("is taken back by uncordoning", async () => {
    await run("cordon");
    expect(statesOf(await run("uncordon"))).toEqual([["uncordon-node", "Succeeded"]]);
    expect(isCordoned("n1")).toBe(false);
    expect(statesOf(await run("uncordon"))).toEqual([["uncordon-node", "Skipped"]]);
  });

  it("is not done to a cluster that was locked since", async () => {
    const { plan } = planNodeChange({ specHash: "hash" }, { action: "cordon", node: "n1", force: false });
    const locked = { ...cluster, spec: { provider: "fake", imported: { locked: true } } as unknown as ClusterSpec };
    const running = time.run(bench.runSteps(locked, plan.steps, { jobId: "j1", kind: "cordon", token: 1 }));
    await expect(running).rejects.toMatchObject({ code: "cluster-locked" });
    expect(isCordoned("n1")).toBe(false);
  });

  it("of a node that is not there says so", async () => {
    await expect(run("cordon", "n9")).rejects.toMatchObject({ code: "node-not-found" });
  });
});

describe("draining", () => {
  it("evicts what can go elsewhere and leaves what is bound to the node, or on another one", async () => {
    objects.addPod("web", { node: "n1" });
    objects.addPod("proxy", { node: "n1", owner: "DaemonSet" });
    objects.addPod("etcd", { node: "n1", owner: "Node", mirror: true });
    objects.addPod("done", { node: "n1", owner: "Job", status: { phase: "Succeeded" } });
    objects.addPod("other", { node: "n2" });
    await run("drain");
    expect(podsLeft()).toEqual(["done", "etcd", "other", "proxy"]);
    expect(isCordoned("n1")).toBe(true);
    expect(statesOf(await run("drain")).map(([, state]) => state)).toEqual(["Skipped", "Skipped"]);
  });

  it("waits for a disruption budget to let a pod go, longer and longer", async () => {
    objects.addPod("web", { node: "n1", guarded: 8 });
    const start = time.now();
    await run("drain");
    expect(podsLeft()).toEqual([]);
    expect(time.now() - start).toBeGreaterThan(30_000);
    expect(time.now() - start).toBeLessThan(60_000);
  });

  it("gives up after a while, and names the pod and what guards it", async () => {
    objects.addPod("web", { node: "n1", guarded: 1_000_000 });
    const start = time.now();
    await expect(run("drain")).rejects.toMatchObject({
      code: "node-not-drained",
      message: expect.stringMatching(/default\/web .*disruption budget/),
      details: { pods: ["default/web"] },
    });
    expect(time.now() - start).toBeLessThanOrEqual(DRAIN_PATIENCE_MS);
    expect(isCordoned("n1")).toBe(true);
  });

  it("does not lose a pod that nothing would make again, unless that is wanted", async () => {
    objects.addPod("web", { node: "n1" });
    objects.addPod("pet", { node: "n1", owner: null });
    await expect(run("drain")).rejects.toMatchObject({ code: "node-not-drained", details: { pods: ["default/pet"] } });
    expect(podsLeft()).toEqual(["pet", "web"]);
    await run("drain", "n1", true);
    expect(podsLeft()).toEqual([]);
  });

  it("waits for a pod that is shutting down rather than evicting it again", async () => {
    objects.addPod("web", { node: "n1" });
    const pod = objects.find("/api/v1/namespaces/default/pods/web");
    if (pod !== null) pod.metadata["deletionTimestamp"] = "2026-01-02T00:00:00Z";
    await expect(run("drain")).rejects.toThrow("default/web (it is still shutting down)");
    expect(podsLeft()).toEqual(["web"]);
  });
});

it("can be done to simulated nodes too, and is no drift", async () => {
  const bench = new SimulatedBench();
  const simulated = simulatedCluster("dev", simulatedSpec({ workers: 1 }));
  await bench.runJob(simulated, "create");
  const change = async (action: "drain" | "uncordon") => {
    const { plan } = planNodeChange({ specHash: "" }, { action, node: "simulated-dev-worker-1", force: false });
    await bench.runSteps(simulated, plan.steps, bench.newJob(action));
    const { body, drift, nodesReady } = await bench.look(simulated);
    return [(body["nodes"] as { status: string }[]).map(({ status }) => status), drift, nodesReady];
  };
  expect(await change("drain")).toEqual([["Ready", "Drained"], [], 2]);
  expect(await change("uncordon")).toEqual([["Ready", "Ready"], [], 2]);
});
