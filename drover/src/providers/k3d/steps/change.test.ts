import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { clusterIdOf } from "../../../../test/cluster-id-of.ts";
import { askDocker } from "../../../../test/fake-docker/fake-engine-world.ts";
import { goneRows, inventory, killAt, look, open, plan, run } from "../../../../test/fake-k3d/scene.ts";
import { k3dCluster, k3dSpec, startFakeK3d } from "../../../../test/fake-k3d/world.ts";

const { signal } = new AbortController();

describe("ports that are added", () => {
  const before = k3dCluster("dev");
  const after = k3dCluster("dev", k3dSpec({}, { networking: { ports: [{ containerPort: 80 }] } }));

  test("come about wherever k3d is killed, and the load balancer stays one of ours", async () => {
    for (let number = 1; ; number += 1) {
      const world = await startFakeK3d();
      const empty = world.daemon.inventory();
      await run(world, before, "create");
      const wasKilled = await killAt(world, after, "update", number);
      await run(world, after, "repair");
      expect(await look(world, after)).toMatchObject({ complete: true, reachable: true, drift: [] });
      expect(inventory(world).filter((line) => line.includes("serverlb"))).toEqual(["container k3d-dev-serverlb"]);
      await run(world, after, "delete");
      expect(world.daemon.inventory()).toEqual(empty);
      await world.dispose();
      if (!wasKilled) break;
    }
  }, 60_000);
});

describe("agents", () => {
  const one = k3dCluster("dev", k3dSpec({ agents: 1 }));
  const three = k3dCluster("dev", k3dSpec({ agents: 3 }));

  test("come and go wherever k3d is killed", async () => {
    for (let number = 1; ; number += 1) {
      const world = await startFakeK3d();
      await run(world, one, "create");
      const addingKilled = await killAt(world, three, "update", number);
      await run(world, three, "repair");
      expect(await look(world, three)).toMatchObject({ drift: [], nodesReady: 4, nodesTotal: 4 });
      const removingKilled = await killAt(world, one, "update", number);
      await run(world, one, "repair");
      expect(await look(world, one)).toMatchObject({ drift: [], nodesReady: 2, nodesTotal: 2 });
      expect(
        goneRows(world)
          .filter(({ kind }) => kind === "node")
          .map(({ ref }) => ref),
      ).toEqual(["k3d-dev-server-0", "k3d-dev-agent-0"]);
      await world.dispose();
      if (!addingKilled && !removingKilled) break;
    }
  }, 60_000);

  test("are emptied before they go, by the rules of disruption budgets", async () => {
    const world = await open();
    await run(world, three, "create");
    await look(world, three);
    const pods = world.apis.objectsOf("dev");
    pods.addPod("web", { node: "k3d-dev-agent-2", guarded: 1 });
    pods.addPod("log", { node: "k3d-dev-agent-2", owner: "DaemonSet" });
    pods.addPod("far", { node: "k3d-dev-agent-0" });
    await run(world, one, "update");
    const left = pods.paths.filter((path) => path.includes("/pods/")).map((path) => path.split("/").at(-1));
    expect(left).toEqual(["far", "log"]);
    expect(pods.find("/api/v1/nodes/k3d-dev-agent-2")).toBeNull();
  });

  test("that come and go are known to the load balancer, which could not be started again otherwise", async () => {
    const world = await open();
    const withPort = (agents: number) =>
      k3dCluster("dev", k3dSpec({ agents }, { networking: { ports: [{ containerPort: 80 }] } }));
    await run(world, withPort(2), "create");
    await world.engine.removeContainer("k3d-dev-agent-0", signal);
    await run(world, withPort(1), "update");
    const config = world.daemon.state.findContainer("k3d-dev-serverlb").files.get("/etc/confd/values.yaml");
    expect(parse(String(config))).toMatchObject({
      ports: { "80.tcp": ["k3d-dev-server-0", "k3d-dev-agent-0-0"], "6443.tcp": ["k3d-dev-server-0"] },
    });
  });

  test("come back when somebody removed their containers, with everything that belongs into them", async () => {
    const world = await open();
    const cluster = k3dCluster(
      "dev",
      k3dSpec({ agents: 1, preloadImages: ["example/web:1"], nodeLabels: { team: "red" } }),
    );
    await run(world, cluster, "create");
    await world.engine.removeContainer("k3d-dev-agent-0", signal);
    const sighting = await look(world, cluster);
    expect(sighting.drift).toEqual([
      { path: "spec.k3d.agents", desired: "1", actual: "0: k3d-dev-agent-0 is missing" },
    ]);
    await run(world, cluster, "repair");
    expect((await look(world, cluster)).drift).toEqual([]);
    const files = world.daemon.state.findContainer("k3d-dev-agent-0-0").files;
    expect([...files.keys()]).toContain("/fake/images/example_web_1");
    expect(world.apis.objectsOf("dev").find("/api/v1/nodes/k3d-dev-agent-0-0")?.metadata["labels"]).toMatchObject({
      team: "red",
    });
  });
});

describe("servers", () => {
  const cluster = k3dCluster("dev", k3dSpec({ servers: 3 }));

  test("the loss of one is found and made good, while the others go on", async () => {
    const world = await open();
    await run(world, cluster, "create");
    await world.engine.removeContainer("k3d-dev-server-2", signal);
    expect(await look(world, cluster)).toMatchObject({ complete: true, reachable: true });
    await run(world, cluster, "repair");
    expect(await look(world, cluster)).toMatchObject({ drift: [], nodesReady: 3, nodesTotal: 3 });
  });

  test("a loss that the others cannot make good is told, and nothing is destroyed", async () => {
    const world = await open();
    await run(world, cluster, "create");
    await world.engine.removeContainer("k3d-dev-server-0", signal);
    const before = world.daemon.inventory();
    await expect(run(world, cluster, "repair")).rejects.toMatchObject({ code: "change-forbidden" });
    expect(world.daemon.inventory()).toEqual(before);
  });

  test("nothing is waited for or added when all is removed in the middle of a repair", async () => {
    const small = k3dCluster("dev", k3dSpec({ agents: 1 }));
    for (const take of ["stopContainer", "removeContainer"] as const) {
      const world = await open();
      await run(world, small, "create");
      if (take === "stopContainer") await world.engine.stopContainer("k3d-dev-agent-0", { graceSeconds: 0 }, signal);
      else await world.engine.removeContainer("k3d-dev-agent-0", signal);
      const steps = await plan(world, small, "repair");
      for (const { id } of await world.engine.listContainers([], signal))
        await world.engine.removeContainer(id, signal);
      await expect(
        world.bench.runSteps(small, steps, { jobId: "job-x", kind: "repair", token: 1_000 }),
      ).rejects.toMatchObject({ code: "plan-stale" });
    }
  });

  test("when all are gone, the cluster is made anew", async () => {
    const world = await open();
    const small = k3dCluster("dev", k3dSpec({ agents: 1 }));
    await run(world, small, "create");
    await world.engine.removeContainer("k3d-dev-server-0", signal);
    expect(await look(world, small)).toMatchObject({ presence: "present", complete: false });
    await run(world, small, "repair");
    expect(await look(world, small)).toMatchObject({ complete: true, reachable: true, drift: [] });
  });
});

test("after a restart of the host the same containers run again, and the kubeconfig leads to them", async () => {
  const world = await open();
  const cluster = k3dCluster("dev", k3dSpec({ agents: 1 }));
  await run(world, cluster, "create");
  const ids = [...world.daemon.state.containers.keys()].sort();
  const kubeconfig = await world.provider.kubeconfig(cluster, signal);
  world.daemon.reboot();
  expect(await look(world, cluster)).toMatchObject({ presence: "present", complete: true, reachable: false });
  await run(world, cluster, "repair");
  expect(await look(world, cluster)).toMatchObject({ reachable: true, drift: [], nodesReady: 2 });
  expect([...world.daemon.state.containers.keys()].sort()).toEqual(ids);
  expect(await world.provider.kubeconfig(cluster, signal)).toBe(kubeconfig);
});

test("the token is told to k3d alone, neither as an argument nor in what is seen", async () => {
  const world = await open();
  const cluster = k3dCluster("dev", k3dSpec({ token: { name: "join" } }));
  const token = "a-token-that-nobody-may-see";
  const secrets = new Map([["join", Buffer.from(JSON.stringify({ token }))]]);
  const masked: string[] = [];
  const said: string[] = [];
  for (const step of await plan(world, cluster, "create")) {
    const context = world.bench.contextOf(cluster, step, { jobId: "job-t", kind: "create", token: 1 });
    const definition = world.provider.steps.find(({ name }) => name === step.name);
    await definition?.run({
      ...context,
      readSecret: async (_owner, name) => secrets.get(name) ?? null,
      mask: (text) => masked.push(text),
      log: (text) => said.push(text),
    });
  }
  expect(masked).toContain(token);
  expect(world.runs[0]?.stdin).toContain(token);
  expect(JSON.stringify(world.runs.map(({ argv }) => argv))).not.toContain(token);
  expect(said.length).toBeGreaterThan(10);
  const seen = [await look(world, cluster), await world.provider.list(signal), world.bench.ledger.rows, said];
  expect(JSON.stringify(seen)).not.toContain(token);
});

test("a registry that the cluster only uses stays, and is taken off its network", async () => {
  const world = await open();
  const cluster = k3dCluster("dev", k3dSpec({ registries: { use: ["team-registry"] } }));
  await run(world, cluster, "create");
  const ask = (path: string, body?: object) => askDocker(world.daemon.socket, "POST", path, body);
  await ask("/containers/create?name=team-registry", {
    Image: "example/registry:2",
    Labels: { app: "k3d", "k3d.role": "registry" },
    HostConfig: { NetworkMode: "k3d-dev" },
  });
  await ask("/containers/team-registry/start");
  await run(world, cluster, "delete");
  expect(inventory(world)).toEqual(["container team-registry", "network bridge"]);
});

test("clusters of others are listed as nobody's of ours, and what k3d runs beside ours is not one", async () => {
  const world = await open();
  await run(world, k3dCluster("dev", k3dSpec({ registries: { create: { name: "dev-registry" } } })), "create");
  await askDocker(world.daemon.socket, "POST", "/containers/create?name=k3d-theirs-server-0", {
    Image: "example/k3s:v1.34.4-k3s1",
    Labels: { app: "k3d", "k3d.cluster": "theirs", "k3d.role": "server" },
  });
  const found = await world.provider.list(signal);
  expect(found.map(({ name, clusterId }) => [name, clusterId])).toEqual([
    ["dev", clusterIdOf("dev")],
    ["theirs", null],
  ]);
});

test("images that Docker does not have are named before anything is loaded", async () => {
  const world = await open();
  const cluster = k3dCluster("dev", k3dSpec({ preloadImages: ["example/web:1", "example/none:2"] }));
  await expect(run(world, cluster, "create")).rejects.toMatchObject({
    code: "image-missing",
    message: expect.stringMatching(/^Docker on this machine does not have example\/none:2/),
  });
});
