import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { KindBench } from "../../../test/fake-kind/bench.ts";
import { kindCluster, kindSpec } from "../../../test/fake-kind/world.ts";

const dev = kindCluster("dev", kindSpec({ workers: 1 }));
const { signal } = new AbortController();

let bench: KindBench;
beforeEach(async () => {
  bench = await KindBench.open();
  onTestFinished(() => bench.dispose());
});

const idOf = (name: string): string => bench.world.daemon.state.findContainer(name).id;

describe("a kind cluster that is there", () => {
  it("runs again after a restart of the host, the same one, with the same kubeconfig", async () => {
    await bench.run(dev, "create");
    const before = [idOf("dev-control-plane"), await bench.world.provider.kubeconfig(dev, signal)];
    bench.world.daemon.reboot();
    expect(await bench.look(dev)).toMatchObject({
      presence: "present",
      complete: true,
      stopped: true,
      reachable: false,
    });
    await expect(bench.world.provider.kubeconfig(dev, signal)).rejects.toMatchObject({ code: "cluster-not-ready" });
    const outcomes = await bench.run(dev, "repair");
    expect(outcomes[0]).toEqual({ name: "start-kind-nodes", state: "Succeeded" });
    expect(await bench.look(dev)).toMatchObject({ reachable: true, nodesReady: 2, drift: [] });
    expect([idOf("dev-control-plane"), await bench.world.provider.kubeconfig(dev, signal)]).toEqual(before);
    expect(bench.world.calls()).toHaveLength(1);
  });

  it("has drifted while one of its nodes is stopped, and is mended by starting that", async () => {
    await bench.run(dev, "create");
    await bench.world.engine.stopContainer("dev-worker", { graceSeconds: 0 }, signal);
    const sighting = await bench.look(dev);
    expect(sighting.drift).toEqual([{ path: "spec.kind.workers", desired: "1", actual: "1: dev-worker is stopped" }]);
    await bench.run(dev, "repair");
    expect((await bench.look(dev)).drift).toEqual([]);
  });

  it("sleeps and wakes without being made anew", async () => {
    await bench.run(dev, "create");
    const before = idOf("dev-control-plane");
    await bench.run(dev, "hibernate");
    expect(await bench.look(dev)).toMatchObject({ stopped: true, reachable: false, drift: [] });
    await bench.run(dev, "wake");
    expect(await bench.look(dev)).toMatchObject({ reachable: true, nodesReady: 2 });
    expect(idOf("dev-control-plane")).toBe(before);
  });

  it("is made anew when somebody deleted all of it", async () => {
    await bench.run(dev, "create");
    await bench.world.connector.run({
      argv: ["kind", "delete", "cluster", "--name", "dev"],
      environment: { DOCKER_HOST: bench.world.daemon.host },
    });
    expect((await bench.look(dev)).presence).toBe("absent");
    await bench.run(dev, "repair");
    expect(await bench.look(dev)).toMatchObject({ complete: true, reachable: true, drift: [] });
  });

  it("is not waited for when all of it is removed in the middle of a repair", async () => {
    await bench.run(dev, "create");
    await bench.world.engine.stopContainer("dev-worker", { graceSeconds: 0 }, signal);
    const steps = await bench.plan(dev, "repair");
    for (const name of ["dev-control-plane", "dev-worker"]) await bench.world.engine.removeContainer(name, signal);
    await expect(bench.steps.runSteps(dev, steps, bench.newRun("repair"))).rejects.toMatchObject({
      code: "plan-stale",
      message: expect.stringContaining("dev was removed while Drover worked on it"),
    });
  });

  it("is made anew when its only control plane is gone, as nothing is left that the workers could serve", async () => {
    await bench.run(dev, "create");
    await bench.world.engine.removeContainer("dev-control-plane", signal);
    expect(await bench.look(dev)).toMatchObject({ presence: "present", complete: false });
    await bench.run(dev, "repair");
    expect(await bench.look(dev)).toMatchObject({ complete: true, reachable: true, drift: [] });
  });

  it("is not made anew for a worker that is gone: that would cost what is in it", async () => {
    await bench.run(dev, "create");
    await bench.world.engine.removeContainer("dev-worker", signal);
    const before = idOf("dev-control-plane");
    for (const kind of ["create", "update", "repair"] as const) {
      await expect(bench.plan(dev, kind)).rejects.toMatchObject({
        code: "change-forbidden",
        message: expect.stringContaining("dev-worker of dev were removed"),
      });
    }
    const create = bench.world.provider.steps.find(({ name }) => name === "create-kind-cluster");
    const [step] = await bench.plan(kindCluster("other"), "create");
    if (create === undefined || step === undefined) throw new Error("There is no such step.");
    const context = bench.steps.contextOf(dev, step, bench.newRun("create"));
    await expect(create.run(context)).rejects.toMatchObject({ code: "change-forbidden" });
    expect(idOf("dev-control-plane")).toBe(before);
  });

  it("gets labels and images while it runs, and loses labels that are declared no more", async () => {
    const labelled = (labels: object, preloadImages: readonly string[] = []) =>
      kindCluster("dev", kindSpec({ workers: 1, nodeLabels: labels, preloadImages }));
    await bench.run(labelled({ team: "blue" }, ["example/app:1"]), "create");
    const labelsOf = (node: string) => bench.world.apis.objectsOf("dev").find(`/api/v1/nodes/${node}`)?.metadata.labels;
    for (const node of ["dev-control-plane", "dev-worker"]) expect(labelsOf(node)).toMatchObject({ team: "blue" });
    const loaded = bench.world.daemon.state.findContainer("dev-worker").files.get("/kind/loaded-images");
    expect(loaded?.toString()).toBe('["example/app:1"]');
    const calls = bench.world.calls().length;
    const outcomes = await bench.run(labelled({ size: "big" }, ["example/app:1"]), "update");
    expect(labelsOf("dev-worker")).toMatchObject({ size: "big" });
    expect(labelsOf("dev-worker")).not.toHaveProperty("team");
    expect(outcomes).toContainEqual({ name: "load-kind-images", state: "Skipped" });
    expect(bench.world.calls()).toHaveLength(calls);
  });

  it("says which image of those to be loaded is missing", async () => {
    const cluster = kindCluster("dev", kindSpec({ preloadImages: ["example/nowhere:1"] }));
    await expect(bench.run(cluster, "create")).rejects.toMatchObject({
      code: "image-missing",
      message: expect.stringContaining("docker pull example/nowhere:1"),
    });
  });

  it("is asked about together with all others by one question, and nothing is started for it", async () => {
    const clusters = ["a", "b", "c"].map((name) => kindCluster(name));
    for (const cluster of clusters) await bench.run(cluster, "create");
    await bench.world.provider.observe(clusters, { signal, thorough: true });
    const { daemon } = bench.world;
    const [asked, started] = [daemon.requests.length, bench.world.calls().length];
    await bench.world.provider.observe(clusters, { signal, thorough: false });
    expect(daemon.requests.slice(asked)).toEqual(["GET /containers/json"]);
    expect(bench.world.calls()).toHaveLength(started);
  });
});
