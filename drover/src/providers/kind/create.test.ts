import { createServer } from "node:net";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { askDocker, findFreePort } from "../../../test/fake-docker/fake-engine-world.ts";
import { KindBench } from "../../../test/fake-kind/bench.ts";
import { kindCluster, kindSpec } from "../../../test/fake-kind/world.ts";
import { waitFor } from "../../../test/wait-for.ts";
import { markOf } from "../../containers/run-tool.ts";

const dev = kindCluster("dev", kindSpec({ workers: 1 }));

let bench: KindBench;

async function open(faults: Readonly<Record<string, string>> = {}): Promise<KindBench> {
  const opened = await KindBench.open(faults);
  onTestFinished(() => opened.dispose());
  return opened;
}

beforeEach(async () => {
  bench = await open();
});

/** Runs until kind is at a part of its work where it stays for ever, then stops it as a cancellation does. */
async function cutOff(held: KindBench, cluster = dev): Promise<ReturnType<KindBench["newRun"]>> {
  const stop = new AbortController();
  const run = held.newRun("create", { signal: stop.signal });
  const running = held.steps.runSteps(cluster, await held.plan(cluster, "create"), run);
  const ended = running.catch((error: unknown) => error);
  await waitFor(() => expect(held.inventory().length).toBeGreaterThan(1));
  stop.abort(new Error("cancelled"));
  expect(await ended).toBeInstanceOf(Error);
  return { ...run, signal: new AbortController().signal };
}

describe("creating a kind cluster", () => {
  it("gives kind everything on its input, and a kubeconfig of its own that is gone afterwards", async () => {
    await bench.run(dev, "create");
    const [call = ""] = bench.world.calls();
    expect(call).toMatch(
      /^create cluster --config - --retain --name dev --kubeconfig \S+\/kind\/id-of-dev-\d+\/scratch\/kubeconfig$/,
    );
    const connector = bench.world.connector;
    const { stdout } = await connector.run({ argv: ["find", bench.world.folder, "-name", "kubeconfig*"] });
    expect(stdout).toBe("");
  });

  it("publishes the API where it was told to, and the kubeconfig leads there", async () => {
    const port = await findFreePort();
    const cluster = kindCluster("dev", kindSpec({}, { networking: { apiServer: { port } } }));
    await bench.run(cluster, "create");
    expect(await bench.look(cluster)).toMatchObject({ endpoint: `https://127.0.0.1:${port}`, reachable: true });
    const kubeconfig = await bench.world.provider.kubeconfig(cluster, new AbortController().signal);
    expect(kubeconfig).toContain(`server: https://127.0.0.1:${port}`);
    expect(kubeconfig).toContain("current-context: kind-dev");
    expect(kubeconfig).not.toContain("kubernetes-admin");
  });

  it("chooses ports where the spec names none, and keeps them when it has to begin again", async () => {
    const cluster = kindCluster("dev", kindSpec({}, { networking: { ports: [{ containerPort: 80 }] } }));
    await bench.run(cluster, "create");
    const portsOf = () => bench.world.daemon.state.findContainer("dev-control-plane").ports;
    const before = portsOf();
    expect(before.map(({ PrivatePort }) => PrivatePort).sort()).toEqual([6443, 80].sort());
    await bench.world.engine.removeContainer("dev-control-plane", new AbortController().signal);
    await bench.run(cluster, "repair");
    expect(portsOf()).toEqual(before);
  });

  it("says which port is taken, before anything is made", async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
    });
    const ports = [{ containerPort: 80, hostPort: port }];
    const making = bench.run(kindCluster("dev", kindSpec({}, { networking: { ports } })), "create");
    await expect(making).rejects.toMatchObject({
      code: "port-taken",
      message: expect.stringContaining(`The port ${port} `),
    });
    expect([bench.inventory(), bench.world.calls()]).toEqual([[], []]);
  });

  it("says which port was taken a moment before Docker wanted it, and leaves nothing", async () => {
    const message =
      "driver failed: Error starting userland proxy: listen tcp4 127.0.0.1:8080: bind: address already in use";
    bench.world.daemon.faults.push({ on: /POST .*worker\/start/, effect: "refuse", message, times: 1 });
    await expect(bench.run(dev, "create")).rejects.toMatchObject({
      code: "port-taken",
      message: expect.stringMatching(/^127\.0\.0\.1:8080 is used by another program/),
    });
    expect(bench.inventory()).toEqual([]);
  });

  it.each([
    ["no space left on device", "host-full"],
    ["could not find an available, non-overlapping IPv4 address pool among the defaults", "subnet-taken"],
  ])("says what Docker has against it: %s", async (message, code) => {
    bench.world.daemon.faults.push({ on: /POST \/containers\/create/, effect: "refuse", message, times: 2 });
    await expect(bench.run(dev, "create")).rejects.toMatchObject({ code });
    expect(bench.inventory()).toEqual([]);
  });

  it("says which image is missing", async () => {
    const cluster = kindCluster("dev", kindSpec({}, { kubernetes: { version: "v1.31.9" } }));
    await expect(bench.run(cluster, "create")).rejects.toMatchObject({
      code: "image-missing",
      message: expect.stringMatching(
        /^The image example\/kind-node:v1\.31\.9 is not in Docker and cannot be pulled: manifest .*not found/,
      ),
    });
  });

  it("refuses an image that holds another version than declared, and leaves nothing", async () => {
    const cluster = kindCluster("dev", kindSpec({ image: "example/kind-node:v1.35.2" }));
    await expect(bench.run(cluster, "create")).rejects.toMatchObject({
      code: "image-differs",
      message: expect.stringContaining("holds Kubernetes v1.35.2, not v1.34.4 as declared"),
    });
    expect(bench.inventory()).toEqual([]);
  });

  it("leaves nothing of an attempt that failed in the middle, and says why", async () => {
    const failing = await open({ FAKE_KIND_FAIL: "Starting control-plane" });
    await expect(failing.run(dev, "create")).rejects.toMatchObject({
      code: "step-failed",
      message: expect.stringMatching(/^Creating the cluster failed: failed to init node with kubeadm/),
    });
    expect(failing.inventory()).toEqual([]);
  });

  it("says that kind is not installed", async () => {
    const { connector } = bench.world;
    await connector.run({ argv: ["rm", `${bench.world.folder}/bin/kind`] });
    await expect(bench.run(dev, "create")).rejects.toMatchObject({ code: "program-missing" });
  });

  it("says that Docker died in the middle, and goes on once it is back", async () => {
    const { daemon } = bench.world;
    daemon.faults.push({ on: /PUT .*archive/, effect: "hang", times: 1 });
    const making = bench.run(dev, "create").catch((error: unknown) => error);
    await waitFor(() => expect(daemon.requests.some((asked) => asked.startsWith("PUT"))).toBe(true));
    await daemon.stop();
    expect(await making).toMatchObject({ code: "docker-unreachable" });
    expect((await bench.look(dev)).presence).toBe("unknown");
    await daemon.start();
    expect(await bench.look(dev)).toMatchObject({ presence: "present", complete: false });
    await bench.run(dev, "create");
    expect(await bench.look(dev)).toMatchObject({ complete: true, drift: [] });
  });

  it("waits for nodes that kind did not wait for", async () => {
    const { apis } = bench.world;
    apis.unready.add("dev-worker");
    const making = bench.run(dev, "create");
    await waitFor(async () => expect((await bench.look(dev)).nodesReady).toBe(1));
    expect(await bench.look(dev)).toMatchObject({ complete: false });
    apis.unready.clear();
    await making;
    expect(await bench.look(dev)).toMatchObject({ complete: true, nodesReady: 2 });
  });

  it("makes two clusters at once", async () => {
    const other = kindCluster("other");
    await Promise.all([bench.run(dev, "create"), bench.run(other, "create")]);
    for (const cluster of [dev, other]) expect(await bench.look(cluster)).toMatchObject({ complete: true, drift: [] });
  });
});

describe("a creation that was cut off", () => {
  it("is taken back within the step, with all that kind had begun", async () => {
    const held = await open({ FAKE_KIND_HOLD: "Starting control-plane" });
    const run = await cutOff(held);
    expect(await held.world.connector.findMarked(markOf(dev.id))).toEqual([]);
    expect(await held.look(dev)).toMatchObject({ presence: "present", complete: false });
    await held.steps.undoSteps(dev, await held.plan(dev, "create"), run);
    expect(held.inventory()).toEqual([]);
    expect(held.steps.ledger.rows.every(({ state }) => state === "gone")).toBe(true);
  });

  it("goes before the next attempt, which knows nothing of it", async () => {
    const held = await open({ FAKE_KIND_HOLD: "Starting control-plane" });
    await cutOff(held);
    const before = held.world.daemon.state.findContainer("dev-control-plane").id;
    const next = new KindBench({ ...held.world, connector: bench.world.connector });
    await next.run(dev, "create");
    expect(await next.look(dev)).toMatchObject({ complete: true, drift: [] });
    expect(held.world.daemon.state.findContainer("dev-control-plane").id).not.toBe(before);
  });

  it("goes with a deletion, though the row says only that it was intended", async () => {
    const held = await open({ FAKE_KIND_HOLD: "Writing configuration" });
    await cutOff(held);
    expect(held.steps.ledger.rows.every(({ state }) => state === "intended")).toBe(true);
    await held.run(dev, "delete");
    expect(held.inventory()).toEqual([]);
  });

  it("is ended where it still runs for an older worker", async () => {
    const held = await open({ FAKE_KIND_HOLD: "Installing CNI" });
    const older = held.run(dev, "create").catch((error: unknown) => error);
    await waitFor(() => expect(held.inventory().length).toBeGreaterThan(3));
    const next = new KindBench({ ...held.world, connector: bench.world.connector });
    await next.run(dev, "create");
    expect(await older).toBeInstanceOf(Error);
    expect(await next.look(dev)).toMatchObject({ complete: true, drift: [] });
  });

  it("does not take back what an earlier job made", async () => {
    const steps = await bench.plan(dev, "create");
    await bench.steps.runSteps(dev, steps.slice(0, 1), bench.newRun("create"));
    const before = bench.inventory();
    const second = bench.newRun("create");
    await bench.steps.runSteps(dev, steps, second);
    await bench.steps.undoSteps(dev, steps, second);
    expect(bench.inventory()).toEqual(before);
  });
});

describe("several control planes", () => {
  const many = kindCluster("dev", kindSpec({ controlPlanes: 3 }));

  it("are reached through the load balancer that kind puts before them, and go with it", async () => {
    await bench.run(many, "create");
    expect(await bench.look(many)).toMatchObject({ complete: true, reachable: true, nodesTotal: 3, drift: [] });
    expect(bench.inventory().filter((line) => line.startsWith("container"))).toHaveLength(4);
    await bench.run(many, "delete");
    expect(bench.inventory()).toEqual([]);
  });

  it("survive the loss of one of them, which is told as drift that kind cannot mend", async () => {
    await bench.run(many, "create");
    await bench.world.engine.removeContainer("dev-control-plane", new AbortController().signal);
    const sighting = await bench.look(many);
    expect(sighting).toMatchObject({ complete: true, reachable: true });
    expect(sighting.drift).toMatchObject([
      { path: "spec.kind.controlPlanes", actual: "2: dev-control-plane is missing" },
    ]);
    await expect(bench.plan(many, "repair")).rejects.toMatchObject({ code: "change-forbidden" });
  });

  it("leave a load balancer alone when kind is killed early, which is ours by the ledger", async () => {
    bench.steps.ledger.intend(many.id, { system: "kind", kind: "container", ref: "dev-external-load-balancer" });
    await askDocker(bench.world.daemon.socket, "POST", "/containers/create?name=dev-external-load-balancer", {
      Image: "example/app:1",
      Labels: { "io.x-k8s.kind.cluster": "dev", "io.x-k8s.kind.role": "external-load-balancer" },
    });
    expect((await bench.look(many)).presence).toBe("absent");
    await bench.run(many, "create");
    expect(await bench.look(many)).toMatchObject({ complete: true, drift: [] });
    await bench.run(many, "delete");
    expect(bench.inventory()).toEqual([]);
  });
});

describe("a network of its own", () => {
  const own = (name: string) => kindCluster(name, kindSpec({ network: "mine" }));

  it("comes and goes with the cluster that kind made it for", async () => {
    await bench.run(own("dev"), "create");
    expect(bench.inventory()).toContain("network mine");
    await bench.run(own("dev"), "delete");
    expect(bench.inventory()).toEqual([]);
  });

  it("stays while another cluster uses it, running or not, and when it was there before", async () => {
    await bench.run(own("first"), "create");
    await bench.run(own("second"), "create");
    bench.world.daemon.reboot();
    await bench.run(own("first"), "delete");
    expect(bench.inventory()).toContain("network mine");
    await bench.run(own("second"), "delete");
    expect(bench.inventory()).toEqual(["network mine"]);
  });
});
