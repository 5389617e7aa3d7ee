import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { addressOf } from "../../../test/fake-machines/fake-kubeadm.ts";
import { FakeMachineWorld } from "../../../test/fake-machines/world.ts";
import { BenchLedger, type BenchRun, StepBench } from "../../../test/step-bench.ts";
import { planSteps } from "../../domain/pipeline.ts";
import type { Sighting } from "../../domain/sighting.ts";
import { readMachine } from "../../machines/machine-ref.ts";
import { systemClock } from "../../ports/clock.ts";
import type { ProviderCluster } from "../../ports/provider.ts";
import { systemTimer } from "../../ports/timer.ts";

const { signal } = new AbortController();
const MARK = "/etc/drover/cluster.json";
type Kind = "create" | "repair" | "delete";

describe.each(["kubeadm", "k3s"] as const)("what a cluster of %s never loses", (distribution) => {
  let world: FakeMachineWorld;
  let bench: StepBench;
  let runs = 0;
  beforeEach(async () => {
    world = await FakeMachineWorld.open(distribution);
    world.ledger = new BenchLedger(systemClock);
    const registry = new Map(world.provider.steps.map((step) => [step.name, step]));
    bench = new StepBench(registry, world.ledger, systemTimer, async (host) => world.machine(host));
    onTestFinished(() => world.dispose());
  });

  const look = async (cluster: ProviderCluster) =>
    (await world.provider.observe([cluster], { signal, thorough: true }))[0] as Sighting;
  const plan = async (cluster: ProviderCluster, kind: Kind) =>
    planSteps({ name: kind, modules: world.provider.plan(cluster, { kind, observed: await look(cluster) }) });
  const bring = async (cluster: ProviderCluster, kind: Kind = "create") => {
    runs += 1;
    const run: BenchRun = { jobId: `job-${runs}`, kind, token: runs };
    return await bench.runSteps(cluster, await plan(cluster, kind), run);
  };
  const stageOf = (name: string): string =>
    (JSON.parse(world.machine(name).files.get(MARK) ?? "{}") as { stage?: string }).stage ?? "free";
  const wasReset = (name: string): boolean =>
    world.machine(name).ran.some((argv) => argv.includes("drover-restore-as-found"));
  const rows = () =>
    (world.ledger?.list("id-of-dev") ?? []).flatMap((row) => {
      const machine = readMachine(row);
      return machine === null ? [] : [`${machine.node} ${machine.address}:${machine.port}`];
    });
  const node = (name: string, ...roles: readonly string[]) => ({ name, address: addressOf(name), roles });
  const at = (name: string, port: number): string => `${addressOf(name)}:${port}`;
  const controlPlane = (name: string) => node(name, "controlplane", "etcd");
  const ofNodes = (nodes: readonly object[]) =>
    world.cluster("dev", {
      ssh: {
        ...{ nodes, schedulableControlPlane: true },
        endpoint: { type: "given", host: addressOf("dev-0"), port: 6443 },
      },
    });
  const NAMES = ["dev-0", "dev-1"] as const;
  const moved = () => world.cluster("dev", { ssh: { access: { credential: { name: "machines" }, port: 2222 } } });

  describe("when only the way to its machines changes", () => {
    it("is any of them while the old port answers as well", async () => {
      await bring(world.cluster("dev"));
      for (const name of NAMES) world.aliases.set(at(name, 22), name);
      expect((await look(moved())).drift).toMatchObject([
        { path: "spec.ssh.nodes", actual: expect.stringMatching(/dev-0 was at .*:22/) },
      ]);
      await bring(moved(), "repair");
      expect(NAMES.map(stageOf)).toEqual(["complete", "complete"]);
      expect(NAMES.map(wasReset)).toEqual([false, false]);
      expect(rows()).toEqual(NAMES.map((name) => `${name} ${at(name, 2222)}`));
      expect((await look(moved())).drift).toEqual([]);
    });

    it("is any of them when the old port is closed, and it is seen all the same", async () => {
      await bring(world.cluster("dev"));
      for (const name of NAMES) world.machine(at(name, 22)).isCutOff = true;
      expect(await look(moved())).toMatchObject({ presence: "present", complete: true, reachable: true });
      await bring(moved(), "repair");
      expect(NAMES.map(stageOf)).toEqual(["complete", "complete"]);
      expect(rows()).toEqual(NAMES.map((name) => `${name} ${at(name, 2222)}`));
      expect((await look(moved())).drift).toEqual([]);
    });

    it("is a machine of which nobody can tell whether it is a declared one", async () => {
      const cluster = world.cluster("dev", { workers: 2 });
      await bring(cluster);
      const fewer = world.cluster("dev", { workers: 1 });
      const [remove] = (await plan(fewer, "repair")).filter((step) => step.name === "remove-ssh-node");
      if (remove === undefined) throw new Error("nothing is removed");
      world.machine("dev-1").isCutOff = true;
      runs += 1;
      const run: BenchRun = { jobId: "job-x", kind: "update", token: runs };
      await expect(bench.runStep(fewer, remove, run)).rejects.toMatchObject({ code: "machine-unreachable" });
      expect(stageOf("dev-2")).toBe("complete");
      world.machine("dev-1").isCutOff = false;
      await bench.runStep(fewer, remove, run);
      expect(stageOf("dev-2")).toBe("free");
    });

    it("is the machine of a node that has another name by now", async () => {
      await bring(world.cluster("dev"));
      const [first, second] = world.cluster("dev").spec.ssh?.nodes ?? [];
      const renamed = ofNodes([first as object, { ...second, name: "dev-9" }]);
      world.aliases.set("dev-9", "dev-1");
      const steps = await plan(renamed, "repair");
      const concerned = steps.filter(({ name }) => name === "check-ssh-machines" || name === "remove-ssh-node");
      expect(concerned.map(({ host }) => host)).toContain("dev-1");
      runs += 1;
      await bench.runSteps(renamed, concerned, { jobId: "job-x", kind: "update", token: runs });
      expect(wasReset("dev-1")).toBe(false);
      expect(stageOf("dev-1")).toBe("complete");
    });
  });

  it("is its data when another machine takes over a name: that one joins, and only the old one is given back", async () => {
    const cluster = world.cluster("dev");
    await bring(cluster);
    const [first, second] = cluster.spec.ssh?.nodes ?? [];
    const old = world.machine("dev-1");
    world.machines.set(at("dev-1", 22), old);
    world.machines.delete("dev-1");
    const replaced = world.cluster("dev", { ssh: { nodes: [first, { ...second, address: "198.18.250.1" }] } });
    await bring(replaced, "repair");
    expect(stageOf("dev-1")).toBe("complete");
    expect(old.files.has(MARK)).toBe(false);
    expect((await look(replaced)).drift).toEqual([]);
  });

  describe("when all its control planes are replaced at once", () => {
    const before = () => ofNodes([controlPlane("dev-0")]);
    const after = () => ofNodes([controlPlane("dev-7")]);

    it("is begun nowhere else while one is there", async () => {
      await bring(before());
      await expect(bring(after(), "repair")).rejects.toMatchObject({
        ...{
          code: "change-forbidden",
          message: expect.stringMatching(/Keep one control plane until the new ones have joined/),
        },
      });
      expect([stageOf("dev-0"), stageOf("dev-7")]).toEqual(["complete", "claimed"]);
    });

    it("is begun nowhere else while one does not answer", async () => {
      await bring(before());
      const steps = await plan(after(), "repair");
      world.machine("dev-0").isCutOff = true;
      runs += 1;
      const run: BenchRun = { jobId: "job-x", kind: "update", token: runs };
      await expect(bench.runSteps(after(), steps, run)).rejects.toMatchObject({
        ...{ code: "machine-unreachable", message: expect.stringMatching(/keep one control plane/) },
      });
    });
  });

  describe("when a machine is gone for good", () => {
    const NODES = ["dev-0", "dev-1", "dev-2"].map(controlPlane);
    const giveUp = (nodes: readonly object[], ...names: readonly string[]) => {
      const cluster = ofNodes(nodes);
      const ssh = { ...cluster.spec.ssh, lostMachines: names.map(addressOf) };
      return { ...cluster, spec: { ...cluster.spec, ssh } } as ProviderCluster;
    };

    it("is anything else: the others forget it once a person has said so, and not before", async () => {
      await bring(ofNodes(NODES));
      world.machine("dev-2").isCutOff = true;
      const nodes = ["dev-0", "dev-1", "dev-3"].map(controlPlane);
      await expect(bring(ofNodes(nodes), "repair")).rejects.toMatchObject({ reason: "unreachable" });
      expect(rows()).toContain(`dev-2 ${at("dev-2", 22)}`);
      const replaced = giveUp(nodes, "dev-2");
      await bring(replaced, "repair");
      expect(rows()).toEqual(nodes.map(({ name }) => `${name} ${at(name, 22)}`));
      expect(nodes.map(({ name }) => stageOf(name))).toEqual(["complete", "complete", "complete"]);
      expect(await look(replaced)).toMatchObject({ presence: "present", complete: true, reachable: true, drift: [] });
    });

    it("is the way to delete it", async () => {
      await bring(ofNodes(NODES));
      for (const { name } of NODES) world.machine(name).isCutOff = true;
      expect((await look(ofNodes(NODES))).presence).toBe("unknown");
      const lost = giveUp(NODES, ...NODES.map(({ name }) => name));
      expect((await look(lost)).presence).toBe("present");
      await bring(lost, "delete");
      expect(rows()).toEqual([]);
      expect((await look(lost)).presence).toBe("absent");
    });
  });

  describe("when control planes leave", () => {
    const NODES = ["dev-0", "dev-1", "dev-2"].map(controlPlane);

    it("is the place of one in the database, while the one that stays does not answer", async () => {
      await bring(ofNodes(NODES));
      const fewer = ofNodes(NODES.slice(0, 1));
      const [remove] = (await plan(fewer, "repair")).filter((step) => step.name === "remove-ssh-node");
      if (remove === undefined) throw new Error("nothing is removed");
      const target = world.machine("dev-0");
      for (const path of [...target.files.keys()]) if (/admin\.conf|k3s\.yaml/.test(path)) target.files.delete(path);
      runs += 1;
      const run: BenchRun = { jobId: "job-x", kind: "update", token: runs };
      await expect(bench.runStep(fewer, remove, run)).rejects.toMatchObject({ code: "cluster-not-ready" });
      expect(stageOf("dev-1")).toBe("complete");
    });

    it("is the place of one whose join was cut off, while nobody can be asked to forget it", async () => {
      const cluster = ofNodes(NODES);
      const steps = await plan(cluster, "create");
      const join = steps.findIndex(({ name, host }) => /join-(ssh|k3s)-node/.test(name) && host === "dev-1");
      runs += 1;
      const run: BenchRun = { jobId: "job-x", kind: "create", token: runs };
      await bench.runSteps(cluster, steps.slice(0, join + 1), run);
      const { files, ran } = world.machine("dev-1");
      files.set(MARK, (files.get(MARK) ?? "").replace('"member"', '"claimed"'));
      for (const path of [...files.keys()]) if (/admin\.conf|k3s\.yaml/.test(path)) files.delete(path);
      world.machine("dev-0").isCutOff = true;
      const again = steps.slice(join, join + 1);
      await expect(bench.runSteps(cluster, again, run)).rejects.toMatchObject({
        ...{ code: "cluster-not-ready", message: expect.stringMatching(/to forget dev-1 now/) },
      });
      expect(ran.some((argv) => argv.includes("drover-clear-k3s"))).toBe(false);
    });

    it.runIf(distribution === "kubeadm")("is the vote of a member apart, while no other member answers", async () => {
      const declare = (...members: readonly string[]) =>
        world.cluster("dev", {
          ssh: {
            etcd: { topology: "separate" },
            nodes: [
              node("dev-0", "controlplane"),
              ...["e-1", "e-2", "e-3"].map((name) => node(name, "worker", ...(members.includes(name) ? ["etcd"] : []))),
            ],
          },
        });
      await bring(declare("e-1", "e-2", "e-3"));
      const fewer = declare("e-1");
      const [retire] = (await plan(fewer, "repair")).filter(({ name }) => name === "retire-ssh-etcd");
      if (retire === undefined) throw new Error("nothing is retired");
      world.machine("e-1").isCutOff = true;
      runs += 1;
      const run: BenchRun = { jobId: "job-x", kind: "update", token: runs };
      await expect(bench.runStep(fewer, retire, run)).rejects.toMatchObject({ code: "cluster-not-ready" });
      expect(world.machine("e-2").has("/var/lib/etcd")).toBe(true);
    });

    it("is given back as a whole when it is deleted, whoever answers", async () => {
      const cluster = ofNodes(NODES);
      await bring(cluster);
      const steps = (await plan(cluster, "delete")).filter(({ host }) => host !== "dev-0");
      world.machine("dev-0").isCutOff = true;
      runs += 1;
      await bench.runSteps(cluster, steps, { jobId: "job-x", kind: "delete", token: runs });
      expect(["dev-1", "dev-2"].map(stageOf)).toEqual(["free", "free"]);
    });
  });
});
