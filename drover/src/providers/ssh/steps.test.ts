import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { addressOf } from "../../../test/fake-machines/fake-kubeadm.ts";
import { FakeMachineWorld, NEWER } from "../../../test/fake-machines/world.ts";
import { BenchLedger, type BenchRun, StepBench } from "../../../test/step-bench.ts";
import { planSteps } from "../../domain/pipeline.ts";
import type { PlanStep } from "../../domain/plan.ts";
import { sha256 } from "../../lib/sha256.ts";
import { systemClock } from "../../ports/clock.ts";
import type { ProviderCluster } from "../../ports/provider.ts";
import { systemTimer } from "../../ports/timer.ts";

const { signal } = new AbortController();
const RUN: BenchRun = { jobId: "job-1", kind: "create", token: 1 };

let world: FakeMachineWorld;
let bench: StepBench;
beforeEach(async () => {
  world = await FakeMachineWorld.open();
  world.ledger = new BenchLedger(systemClock);
  const registry = new Map(world.provider.steps.map((step) => [step.name, step]));
  bench = new StepBench(registry, world.ledger, systemTimer, async (host) => world.machine(host));
  onTestFinished(() => world.dispose());
});

const look = async (cluster: ProviderCluster) =>
  (await world.provider.observe([cluster], { signal, thorough: true }))[0] as NonNullable<unknown> & {
    drift: readonly unknown[];
  };
async function plan(
  cluster: ProviderCluster,
  kind: "create" | "repair" | "upgrade" | "delete",
): Promise<readonly PlanStep[]> {
  const [observed] = await world.provider.observe([cluster], { signal, thorough: true });
  if (observed === undefined) throw new Error("nothing was seen");
  return planSteps({ name: kind, modules: world.provider.plan(cluster, { kind, observed }) });
}
const create = async (cluster: ProviderCluster) => await bench.runSteps(cluster, await plan(cluster, "create"), RUN);

describe("before anything is touched", () => {
  it("refuses a machine with a Kubernetes of somebody else's, naming the trace", async () => {
    const cluster = world.cluster("dev");
    world.machine("dev-1").files.set("/etc/kubernetes/kubelet.conf", "theirs");
    const before = world.inventory();
    await expect(create(cluster)).rejects.toMatchObject({
      code: "machines-unfit",
      message: expect.stringMatching(/dev-1.*kubelet\.conf/),
    });
    expect(world.inventory()).toEqual(before);
  });

  it("refuses a machine of another cluster", async () => {
    await create(world.cluster("dev"));
    const other = world.cluster("other", { ssh: { nodes: world.cluster("dev").spec.ssh?.nodes } });
    await expect(create(other)).rejects.toMatchObject({
      code: "machines-unfit",
      message: expect.stringMatching(/machine of the cluster dev/),
    });
  });

  it("names every problem of every machine at once, with the commands that mend them", async () => {
    const cluster = world.cluster("dev", { workers: 3 });
    world.machine("dev-0").tells.push("memory\tMemTotal: 1000000", "memory\tSwapTotal: 2048000");
    world.machine("dev-1").tells.push(`machine-id\t${"1".repeat(32)}`);
    world.machine("dev-2").tells.push(`machine-id\t${"1".repeat(32)}`, "port\t 0: 00000000:280A 00000000:0000 0A 0");
    world.machine("dev-3").isCutOff = true;
    const before = world.inventory();
    const refused = await create(cluster).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({
      code: "machines-unfit",
      message: expect.stringMatching(/dev-3 could not be asked/),
    });
    const { problems } = (refused as { details: { problems: { machine: string; code: string; command: string }[] } })
      .details;
    expect(problems.map(({ machine, code }) => `${machine} ${code}`)).toEqual([
      ...["dev-0 machine-memory", "dev-0 machine-swap", "dev-2 machine-port-used"],
      ...["dev-1 machine-id-duplicate", "dev-2 machine-id-duplicate"],
    ]);
    expect(problems.map(({ command }) => command)).toContainEqual(expect.stringMatching(/^swapoff -a/));
    expect(world.inventory()).toEqual(before);
  });

  it("waits for a machine that does not answer where nothing else is in the way", async () => {
    world.machine("dev-1").isCutOff = true;
    await expect(create(world.cluster("dev"))).rejects.toMatchObject({
      message: expect.stringMatching(/dev-1/),
      reason: "unreachable",
    });
  });

  it("does not refuse nodes that run for what they lack since, when others are to join them", async () => {
    await create(world.cluster("dev"));
    world.machine("dev-1").tells.push("memory\tMemTotal: 8000000", "memory\tSwapTotal: 2048000");
    await create(world.cluster("dev", { workers: 2 }));
    expect((await look(world.cluster("dev", { workers: 2 }))).drift).toEqual([]);
  });

  it("sends nothing when a checksum does not fit, and names the file", async () => {
    await writeFile(join(world.artifacts, "v1.33.13/bin/kubelet"), "something else");
    await expect(create(world.cluster("dev"))).rejects.toMatchObject({
      ...{ code: "checksum-mismatch", message: expect.stringMatching(/v1\.33\.13\/bin\/kubelet/) },
    });
    expect(world.inventory()).toEqual([]);
  });
});

describe("what is lost", () => {
  it("is a worker whose machine was emptied: it joins anew, and the others are left alone", async () => {
    const cluster = world.cluster("dev", { workers: 2 });
    await create(cluster);
    const machine = world.machine("dev-2");
    for (const folder of ["/etc/drover", "/var/lib/drover", "/etc/kubernetes"]) machine.removeAll(folder);
    expect((await look(cluster)).drift).toMatchObject([
      { path: "spec.ssh.nodes", actual: expect.stringMatching(/dev-2 is missing/) },
    ]);
    const repaired = await bench.runSteps(cluster, await plan(cluster, "repair"), { ...RUN, jobId: "job-2", token: 2 });
    expect(repaired.filter(({ state }) => state === "Succeeded").map(({ id }) => id)).not.toContainEqual(
      expect.stringMatching(/dev-[01]$/),
    );
    expect((await look(cluster)).drift).toEqual([]);
  });

  it("is not known of a machine that does not answer: the others are seen all the same", async () => {
    const cluster = world.cluster("dev", { workers: 2 });
    await create(cluster);
    world.machine("dev-2").isCutOff = true;
    expect(await look(cluster)).toMatchObject({
      presence: "present",
      complete: true,
      reachable: true,
      message: expect.stringMatching(/dev-2/),
    });
  });

  it("never makes a second beginning while a control plane may be left", async () => {
    const nodes = ["a", "b", "c"].map((name, index) => ({
      ...{ name, address: `198.18.9.${index + 1}`, roles: ["controlplane", "etcd"] },
    }));
    const ssh = { nodes, endpoint: { type: "given", host: "198.18.9.9" }, schedulableControlPlane: true };
    const cluster = world.cluster("ha", { ssh });
    const steps = planSteps({
      name: "repair",
      modules: world.provider.plan(cluster, {
        kind: "repair",
        observed: {
          ...{ presence: "present", complete: true, reachable: true, nodesReady: 2, nodesTotal: 3, drift: [] },
          ...{ kubernetesVersion: null, endpoint: null, message: "" },
          body: {
            machines: [
              { host: "a", node: "a", stage: "free", declared: true },
              { host: "b", node: "b", stage: "complete", declared: true },
              { host: "c", node: "c", stage: "unreachable", declared: true },
            ],
          },
        },
      }),
    });
    expect(steps.filter(({ name }) => name === "init-ssh-control-plane").map(({ host }) => host)).toEqual(["b"]);
    expect(steps.filter(({ name }) => name === "join-ssh-node").map(({ host }) => host)).toEqual(["a", "c"]);
  });
});

describe("an upgrade", () => {
  it("takes a snapshot, then control planes, then workers in waves, each behind a gate", async () => {
    await create(world.cluster("dev", { workers: 3 }));
    const newer = world.cluster("dev", { workers: 3, version: NEWER, ssh: { upgrade: { waveSize: 2 } } });
    const steps = (await plan(newer, "upgrade")).filter(({ module }) => module === `Upgrade to ${NEWER}`);
    const order = [...new Set(steps.map(({ task }) => task))];
    expect(order).toEqual([
      ...["Check", "Artifacts", "Settings of dev-0", "Settings, wave 1", "Settings, wave 2", "Snapshot", "Watchers"],
      ...["Control plane dev-0", "Kubelet of dev-0", "Controllers after dev-0", "Gate after dev-0"],
      ...["Workers, wave 1", "Kubelets, wave 1", "Gate after wave 1"],
      ...["Workers, wave 2", "Kubelets, wave 2", "Gate after wave 2"],
    ]);
  });

  it("leaves out no minor", async () => {
    await create(world.cluster("dev"));
    const tooNew = world.cluster("dev", { version: "v1.35.0" });
    await expect(plan(tooNew, "upgrade")).rejects.toMatchObject({
      code: "change-forbidden",
      message: expect.stringMatching(/v1\.34 first/),
    });
  });

  it("opens only nodes that it closed itself", async () => {
    await create(world.cluster("dev"));
    const node = world.clusters.clusterOf("dev-1")?.nodes.get("dev-1");
    if (node !== undefined) node.unschedulable = true;
    const newer = world.cluster("dev", { version: NEWER });
    await bench.runSteps(newer, await plan(newer, "upgrade"), { ...RUN, jobId: "job-2", token: 2, kind: "upgrade" });
    expect(node).toMatchObject({ version: NEWER, unschedulable: true });
    expect(world.clusters.clusterOf("dev-0")?.nodes.get("dev-0")).toMatchObject({ unschedulable: false });
  });
});

describe("an endpoint of its own", () => {
  const three = ["a", "b", "c"].map((name) => ({
    ...{ name: `dev-${name}`, address: addressOf(`dev-${name}`), roles: ["controlplane", "etcd"] },
  }));
  const spec = (nodes: readonly object[]) => ({
    ssh: {
      ...{ nodes, schedulableControlPlane: true },
      endpoint: { type: "haproxy", virtualIp: addressOf("dev-a"), port: 8443 },
    },
  });

  it("leads to every control plane from each of them, and is told when one is added", async () => {
    await create(world.cluster("dev", spec(three.slice(0, 1))));
    const config = () => world.machine("dev-a").files.get("/etc/drover/endpoint/haproxy.cfg") ?? "";
    expect(config().match(/server dev-/g)).toHaveLength(1);
    await create(world.cluster("dev", spec(three)));
    for (const { name } of three) {
      const { files, units } = world.machine(name);
      expect(files.get("/etc/drover/endpoint/haproxy.cfg")).toBe(config());
      expect(files.get("/etc/drover/endpoint/keepalived.conf")).toContain(`${addressOf("dev-a")} dev eth0`);
      expect(units.get("drover-keepalived.service")).toEqual({ enabled: true, active: true });
    }
    expect(config().match(/server dev-/g)).toHaveLength(3);
    const priorities = three.map(
      ({ name }) =>
        /priority (\d+)/.exec(world.machine(name).files.get("/etc/drover/endpoint/keepalived.conf") ?? "")?.[1],
    );
    expect(new Set(priorities).size).toBe(3);
  });

  it("says what is missing where nobody has brought the programs", async () => {
    await writeFile(
      join(world.artifacts, "SHA256SUMS"),
      (await readFile(join(world.artifacts, "SHA256SUMS"), "utf8")).replace(/.*debs\/keepalived.*\n/g, ""),
    );
    await expect(create(world.cluster("dev", spec(three)))).rejects.toMatchObject({
      ...{ code: "artifact-missing", message: expect.stringMatching(/keepalived/) },
    });
  });
});

describe("kube-vip", () => {
  const three = ["a", "b", "c"].map((name) => ({
    ...{ name: `dev-${name}`, address: addressOf(`dev-${name}`), roles: ["controlplane", "etcd"] },
  }));
  const spec = {
    ssh: { nodes: three, schedulableControlPlane: true, endpoint: { type: "kube-vip", virtualIp: addressOf("dev-a") } },
  };
  const MANIFEST = "/etc/kubernetes/manifests/kube-vip.yaml";

  it("carries the address from each control plane, with the kubeconfig that may do no more than it has to", async () => {
    await create(world.cluster("dev", spec));
    for (const { name } of three) {
      const { files } = world.machine(name);
      expect(parse(files.get(MANIFEST) ?? "")).toMatchObject({
        kind: "Pod",
        metadata: { annotations: { "drover.dev/kubeconfig": sha256(files.get("/etc/kubernetes/admin.conf") ?? "") } },
        spec: {
          hostNetwork: true,
          containers: [
            {
              image: "example.com/kube-vip:v1.0.0",
              env: expect.arrayContaining([
                { name: "address", value: addressOf("dev-a") },
                { name: "vip_interface", value: "eth0" },
              ]),
            },
          ],
          volumes: [{ hostPath: { path: "/etc/kubernetes/admin.conf" } }],
        },
      });
      expect(files.get("/var/lib/drover/virtual-address")).toBe(addressOf("dev-a"));
    }
  });

  it("starts anew with a kubeconfig that was renewed, and is left alone otherwise", async () => {
    const cluster = world.cluster("dev", spec);
    await create(cluster);
    const { files } = world.machine("dev-b");
    const before = files.get(MANIFEST);
    await bench.runSteps(cluster, await plan(cluster, "repair"), { ...RUN, jobId: "job-2", token: 2 });
    expect(files.get(MANIFEST)).toBe(before);
    files.set("/etc/kubernetes/admin.conf", "renewed");
    await bench.runSteps(cluster, await plan(cluster, "repair"), { ...RUN, jobId: "job-3", token: 3 });
    expect(files.get(MANIFEST)).not.toBe(before);
  });

  it("is asked for before anything starts", async () => {
    const sums = join(world.artifacts, "SHA256SUMS");
    await writeFile(sums, (await readFile(sums, "utf8")).replace(/.*kube-vip.*\n/g, ""));
    await expect(create(world.cluster("dev", spec))).rejects.toMatchObject({
      ...{ code: "artifact-missing", message: expect.stringMatching(/kube-vip/) },
    });
    expect(world.machine("dev-a").files.has("/etc/drover/cluster.json")).toBe(false);
  });
});

describe("settings that change on a running cluster", () => {
  const update = async (cluster: ProviderCluster, jobId: string) =>
    await bench.runSteps(cluster, await plan(cluster, "repair"), { ...RUN, jobId, token: 2 });
  const ranOn = (name: string, word: string) =>
    world.machine(name).ran.filter((argv) => argv.join(" ").includes(word)).length;

  it("are told to the API servers alone, once, with new certificates only for new names", async () => {
    await create(world.cluster("dev"));
    const apiServer = { extraArgs: [{ name: "v", value: "4" }] };
    await update(world.cluster("dev", { ssh: { apiServer } }), "job-2");
    expect(ranOn("dev-0", "phase control-plane apiserver")).toBe(1);
    expect(ranOn("dev-1", "phase")).toBe(0);
    const certificates = ranOn("dev-0", "phase certs apiserver");
    await update(world.cluster("dev", { ssh: { apiServer } }), "job-3");
    expect(ranOn("dev-0", "phase control-plane apiserver")).toBe(1);
    await update(world.cluster("dev", { ssh: { apiServer, certificates: { sans: ["api.example.com"] } } }), "job-4");
    expect(ranOn("dev-0", "phase certs apiserver")).toBe(certificates + 1);
    expect(ranOn("dev-0", "phase control-plane apiserver")).toBe(2);
  });

  it("reach every kubelet by a file of its own", async () => {
    await create(world.cluster("dev"));
    const kubeletArgs = [{ name: "max-pods", value: "42" }];
    await update(world.cluster("dev", { ssh: { kubeletArgs } }), "job-2");
    for (const name of ["dev-0", "dev-1"])
      expect(world.machine(name).files.get("/etc/drover/kubelet.env")).toBe('KUBELET_EXTRA_ARGS="--max-pods=42"\n');
  });
});
