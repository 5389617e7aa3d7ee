import { appendFile, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { FakeMachineWorld, NEWER, OLDER } from "../../../../test/fake-machines/world.ts";
import { BenchLedger, type BenchRun, StepBench } from "../../../../test/step-bench.ts";
import { planSteps } from "../../../domain/pipeline.ts";
import type { PlanStep } from "../../../domain/plan.ts";
import { sha256 } from "../../../lib/sha256.ts";
import { systemClock } from "../../../ports/clock.ts";
import type { ProviderCluster } from "../../../ports/provider.ts";
import { systemTimer } from "../../../ports/timer.ts";

const { signal } = new AbortController();
const RUN: BenchRun = { jobId: "job-1", kind: "create", token: 1 };
const SECOND: BenchRun = { jobId: "job-2", kind: "upgrade", token: 2 };
const SECRETS = "/etc/systemd/system/k3s.service.env";

let world: FakeMachineWorld;
let bench: StepBench;
beforeEach(async () => {
  world = await FakeMachineWorld.open("k3s");
  world.ledger = new BenchLedger(systemClock);
  const registry = new Map(world.provider.steps.map((step) => [step.name, step]));
  bench = new StepBench(registry, world.ledger, systemTimer, async (host) => world.machine(host));
  onTestFinished(() => world.dispose());
});

const look = async (cluster: ProviderCluster) =>
  (await world.provider.observe([cluster], { signal, thorough: true }))[0] as { drift: readonly unknown[] };
async function plan(cluster: ProviderCluster, kind: "create" | "repair" | "upgrade"): Promise<readonly PlanStep[]> {
  const [observed] = await world.provider.observe([cluster], { signal, thorough: true });
  if (observed === undefined) throw new Error("nothing was seen");
  return planSteps({ name: kind, modules: world.provider.plan(cluster, { kind, observed }) });
}
const create = async (cluster: ProviderCluster) => await bench.runSteps(cluster, await plan(cluster, "create"), RUN);

/** Three servers behind the address of the first. */
function threeServers(): ProviderCluster {
  const one = world.cluster("ha", { workers: 2 }).spec.ssh?.nodes ?? [];
  const nodes = one.map((node) => ({ ...node, roles: ["controlplane", "etcd"] }));
  const endpoint = { type: "given", host: nodes[0]?.address };
  return world.cluster("ha", { ssh: { nodes, endpoint, schedulableControlPlane: true } });
}

describe("a release among the artifacts", () => {
  it("lies in a folder with a plus or a dash in its name", async () => {
    await rename(join(world.artifacts, `${OLDER}-k3s1`), join(world.artifacts, `${OLDER}+k3s1`));
    await create(world.cluster("dev"));
    expect(world.machine("dev-0").files.get("/usr/local/bin/k3s")).toBe(`k3s ${OLDER}+k3s1`);
  });

  it("is refused as a whole when a checksum does not fit", async () => {
    await writeFile(join(world.artifacts, `${OLDER}-k3s1/k3s`), "something else");
    await expect(create(world.cluster("dev"))).rejects.toMatchObject({
      code: "checksum-mismatch",
      message: expect.stringMatching(/k3s1\/k3s/),
    });
    expect(world.inventory()).toEqual([]);
  });

  it("is missed by its name", async () => {
    const cluster = world.cluster("dev", { version: "v1.33.1" });
    await expect(create(cluster)).rejects.toMatchObject({
      code: "artifact-missing",
      message: expect.stringMatching(/v1\.33\.1\+k3s1/),
    });
  });
});

describe("the token", () => {
  it("is made anew for each cluster, and is in no command", async () => {
    const tokens = [];
    for (const name of ["a", "b"]) {
      await create(world.cluster(name));
      const token = /K3S_TOKEN="(.*)"/.exec(world.machine(`${name}-0`).files.get(SECRETS) ?? "")?.[1] ?? "";
      expect(token).toHaveLength(48);
      for (const { ran } of world.machines.values()) expect(JSON.stringify(ran)).not.toContain(token);
      tokens.push(token);
    }
    expect(new Set(tokens).size).toBe(2);
  });

  it("is made anew when a beginning was cut off before the machine was a member", async () => {
    const machine = world.machine("dev-0");
    const cluster = world.cluster("dev");
    const steps = await plan(cluster, "create");
    const upTo = steps.slice(
      0,
      steps.findIndex(({ name }) => name === "start-k3s-server"),
    );
    await bench.runSteps(cluster, upTo, RUN);
    machine.files.set(SECRETS, 'K3S_TOKEN="of the attempt"\n');
    machine.files.set("/var/lib/rancher/k3s/server/db", "half");
    await bench.runSteps(cluster, steps, RUN);
    expect(machine.files.get(SECRETS)).not.toContain("attempt");
    expect(machine.files.has("/var/lib/rancher/k3s/server/db")).toBe(false);
  });
});

describe("a setting that changed", () => {
  it("restarts every node once, servers one after the other, and no node without a change", async () => {
    await create(threeServers());
    const starts = () =>
      [...world.machines].flatMap(([name, { ran }]) =>
        ran.filter((argv) => argv[3] === "drover-start-k3s").map(() => name),
      );
    const before = starts().length;
    const spec = threeServers().spec;
    const changed = {
      ...threeServers(),
      spec: { ...spec, ssh: { ...spec.ssh, kubeletArgs: [{ name: "v", value: "2" }] } },
    };
    const steps = await plan(changed as ProviderCluster, "create");
    const restarts = steps.filter(({ name }) => name === "restart-k3s-node");
    expect(new Set(restarts.map(({ task }) => task)).size).toBe(3);
    await bench.runSteps(changed as ProviderCluster, steps, SECOND);
    expect(starts()).toHaveLength(before + 3);
    await bench.runSteps(changed as ProviderCluster, steps, { ...SECOND, jobId: "job-3", token: 3 });
    expect(starts()).toHaveLength(before + 3);
  });
});

describe("images that are wanted on every node", () => {
  const IMAGES = "/var/lib/rancher/k3s/agent/images";
  const wanted = (offline: boolean) =>
    world.cluster("dev", {
      ssh: {
        preloadImages: ["shop:1"],
        artifacts: { source: "directory", location: world.artifacts, offline },
      },
    });
  const offer = async (content: string) => {
    await mkdir(join(world.artifacts, "images"));
    await writeFile(join(world.artifacts, "images/docker.io_library_shop_1.tar"), content);
    const sums = join(world.artifacts, "SHA256SUMS");
    await appendFile(sums, `${sha256(content)}  images/docker.io_library_shop_1.tar\n`);
  };

  it("are laid beside those of the release, and stay there when it is upgraded", async () => {
    await offer("docker.io/library/shop:1");
    await create(wanted(true));
    const archive = `${IMAGES}/docker.io_library_shop_1.tar`;
    for (const host of ["dev-0", "dev-1"]) expect(world.machine(host).files.has(archive)).toBe(true);
    const newer = { ...wanted(true), spec: { ...wanted(true).spec, kubernetes: { version: NEWER } } };
    await bench.runSteps(newer, await plan(newer, "upgrade"), SECOND);
    expect(world.machine("dev-1").files.has(archive)).toBe(true);
  });

  it("are pulled where there is no archive, unless nothing may be fetched", async () => {
    await expect(create(wanted(true))).rejects.toMatchObject({
      code: "artifact-missing",
      message: expect.stringMatching(/images\/docker/),
    });
    await create(wanted(false));
    expect(world.machine("dev-1").files.get(`${IMAGES}/pulled`)).toBe("docker.io/library/shop:1\n");
  });

  it("are missed when an archive has something else in it", async () => {
    await offer("docker.io/library/another:1");
    await expect(create(wanted(true))).rejects.toMatchObject({
      code: "artifact-missing",
      message: expect.stringMatching(/do not hold/),
    });
  });
});

describe("an upgrade", () => {
  it("takes a snapshot, then servers one at a time, then agents in waves, each behind a gate", async () => {
    await create(world.cluster("dev", { workers: 3 }));
    const newer = world.cluster("dev", { workers: 3, version: NEWER, ssh: { upgrade: { waveSize: 2 } } });
    const steps = (await plan(newer, "upgrade")).filter(({ module }) => module === `Upgrade to ${NEWER}+k3s1`);
    expect([...new Set(steps.map(({ task }) => task))]).toEqual([
      ...["Check", "Artifacts", "Snapshot", "Watchers"],
      ...["Server dev-0", "Controllers after dev-0", "Gate after dev-0"],
      ...["Agents, wave 1", "Gate after wave 1", "Agents, wave 2", "Gate after wave 2"],
    ]);
  });

  it("leaves the running program alone until it is the node's turn", async () => {
    await create(world.cluster("dev"));
    const newer = world.cluster("dev", { version: NEWER });
    const steps = await plan(newer, "upgrade");
    const turn = steps.findIndex(({ name }) => name === "upgrade-k3s-node");
    await bench.runSteps(newer, steps.slice(0, turn), SECOND);
    const { files } = world.machine("dev-1");
    expect(files.get("/usr/local/bin/k3s")).toBe(`k3s ${OLDER}+k3s1`);
    await bench.runSteps(newer, steps, SECOND);
    expect(files.get("/usr/local/bin/k3s")).toBe(`k3s ${NEWER}+k3s1`);
    expect([...files.keys()].filter((path) => path.includes("/agent/images/"))).toEqual([
      `/var/lib/rancher/k3s/agent/images/drover-${NEWER}+k3s1.tar.zst`,
    ]);
    expect((await look(newer)).drift).toEqual([]);
  });

  it("leaves out no minor", async () => {
    await create(world.cluster("dev"));
    const tooNew = world.cluster("dev", { version: "v1.35.0" });
    await expect(plan(tooNew, "upgrade")).rejects.toMatchObject({
      code: "change-forbidden",
      message: expect.stringMatching(/of v1\.34 first/),
    });
  });
});

describe("a server that is lost", () => {
  it("is forgotten before it is stopped, when its join was cut off after it had come through", async () => {
    const cluster = threeServers();
    const steps = await plan(cluster, "create");
    const upTo = steps.findIndex(({ name, host }) => name === "join-k3s-node" && host === "ha-1");
    await bench.runSteps(cluster, steps.slice(0, upTo + 1), RUN);
    const { files } = world.machine("ha-1");
    const mark = files.get("/etc/drover/cluster.json") ?? "";
    files.set("/etc/drover/cluster.json", mark.replace('"member"', '"claimed"'));
    await bench.runSteps(cluster, steps, RUN);
    expect(world.clusters.missedMembers.size).toBe(0);
    expect((await look(cluster)).drift).toEqual([]);
  });

  it("joins anew under its name, after the cluster has forgotten the old one", async () => {
    const cluster = threeServers();
    await create(cluster);
    const machine = world.machine("ha-2");
    for (const folder of ["/etc/drover", "/var/lib/drover", "/etc/rancher", "/etc/systemd", "/var/lib/rancher"]) {
      machine.removeAll(folder);
    }
    machine.units.clear();
    expect((await look(cluster)).drift).toMatchObject([{ actual: expect.stringMatching(/ha-2 is missing/) }]);
    await bench.runSteps(cluster, await plan(cluster, "repair"), SECOND);
    expect((await look(cluster)).drift).toEqual([]);
    expect(machine.files.get("/etc/rancher/k3s/config.yaml.d/drover-join.yaml")).toContain("server: https://");
  });

  it("stays on its machine as long as it counts in the database, and is let go anew", async () => {
    const cluster = threeServers();
    await create(cluster);
    const nodes = (cluster.spec.ssh?.nodes ?? []).slice(0, 1);
    const smaller = world.cluster("ha", {
      ssh: { nodes, endpoint: cluster.spec.ssh?.endpoint, schedulableControlPlane: true },
    });
    const steps = await plan(smaller, "repair");
    world.clusters.clinging.add("ha-2");
    await expect(bench.runSteps(smaller, steps, SECOND)).rejects.toMatchObject({
      message: expect.stringContaining("ha-2 is still a member of the database"),
    });
    expect(world.clusters.clusterOf("ha-0")?.nodes.has("ha-2")).toBe(false);
    expect(world.machine("ha-2").units.get("k3s")).toMatchObject({ active: true });
    await bench.runSteps(smaller, steps, { ...SECOND, jobId: "job-3", token: 3 });
    expect(world.clusters.missedMembers.size).toBe(0);
    expect([...(world.clusters.clusterOf("ha-0")?.nodes.keys() ?? [])]).toEqual(["ha-0"]);
    expect(world.machine("ha-2").units.has("k3s")).toBe(false);
  });

  it("is not let go when the others would be no majority", async () => {
    const cluster = threeServers();
    await create(cluster);
    world.clusters.clusterOf("ha-0")?.unready.add("ha-2");
    const nodes = (cluster.spec.ssh?.nodes ?? []).slice(0, 1);
    const smaller = world.cluster("ha", {
      ssh: { nodes, endpoint: cluster.spec.ssh?.endpoint, schedulableControlPlane: true },
    });
    const steps = await plan(smaller, "repair");
    await expect(bench.runSteps(smaller, steps, SECOND)).rejects.toMatchObject({ code: "quorum-at-risk" });
    expect(world.clusters.clusterOf("ha-0")?.nodes.has("ha-1")).toBe(true);
  });
});
