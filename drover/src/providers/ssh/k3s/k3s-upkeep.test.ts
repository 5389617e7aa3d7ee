import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { MortalMachines } from "../../../../test/fake-machines/mortal-machines.ts";
import { FakeMachineWorld } from "../../../../test/fake-machines/world.ts";
import { BenchLedger, type BenchRun, StepBench } from "../../../../test/step-bench.ts";
import { type Module, planSteps } from "../../../domain/pipeline.ts";
import type { PlanStep } from "../../../domain/plan.ts";
import { sha256 } from "../../../lib/sha256.ts";
import { systemClock } from "../../../ports/clock.ts";
import type { ProviderCluster, Upkeep } from "../../../ports/provider.ts";
import { systemTimer } from "../../../ports/timer.ts";

const { signal } = new AbortController();
const SECRETS = "/etc/systemd/system/k3s.service.env";
const DATABASE = "/var/lib/rancher/k3s/server/db";

let world: FakeMachineWorld;
let ledger: BenchLedger;
let bench: StepBench;
let cluster: ProviderCluster;
let mortals: MortalMachines;

beforeEach(async () => {
  world = await FakeMachineWorld.open("k3s");
  ledger = new BenchLedger(systemClock);
  world.ledger = ledger;
  mortals = new MortalMachines();
  const registry = new Map(world.provider.steps.map((step) => [step.name, step]));
  bench = new StepBench(registry, ledger, systemTimer, async (host) => mortals.wrap(world.machine(host)));
  onTestFinished(() => world.dispose());
  await create(world.cluster("dev", { workers: 1 }));
});

async function create(wanted: ProviderCluster): Promise<void> {
  cluster = wanted;
  const [observed] = await world.provider.observe([cluster], { signal, thorough: true });
  if (observed === undefined) throw new Error("nothing was seen");
  await runAll(world.provider.plan(cluster, { kind: "create", observed }), `create-${cluster.name}`);
}

/** Three servers behind the address of the first. */
function threeServers(): ProviderCluster {
  const one = world.cluster("ha", { workers: 2 }).spec.ssh?.nodes ?? [];
  const nodes = one.map((node) => ({ ...node, roles: ["controlplane", "etcd"] }));
  const endpoint = { type: "given", host: nodes[0]?.address };
  return world.cluster("ha", { ssh: { nodes, endpoint, schedulableControlPlane: true } });
}

const upkeep = () => world.provider.upkeep?.(cluster) as Upkeep;
const stepsOf = (modules: readonly Module[]): readonly PlanStep[] => planSteps({ name: "upkeep", modules });
const runOf = (jobId: string): BenchRun => ({ jobId, kind: "backup", token: 1 });
const runAll = async (modules: readonly Module[], jobId: string) =>
  await bench.runSteps(cluster, stepsOf(modules), runOf(jobId));
const backUp = (jobId = "b1") => runAll(upkeep().backUp(cluster), jobId);
const restore = (jobId = "r1") => runAll(upkeep().restore(cluster, "b1"), jobId);
const drill = (jobId = "d1") => runAll(upkeep().drill(cluster, "b1"), jobId);
const first = () => world.machine(`${cluster.name}-0`);
const namespaces = () => world.clusters.clusterOf(`${cluster.name}-0`)?.namespaces as Set<string>;
const namesIn = (folder: string, host = `${cluster.name}-0`) =>
  [...world.machine(host).files.keys()].filter((path) => path.startsWith(folder)).sort();
const tokenNow = () => /K3S_TOKEN="(.*)"/.exec(first().files.get(SECRETS) ?? "")?.[1] ?? "";

describe("a backup", () => {
  it("is snapshot, sealed token and manifest at its destination, and then it is listed", async () => {
    await backUp();
    expect([...world.archive.files.keys()]).toEqual([
      ...["h1:/dev/b1/snapshot.db", "h1:/dev/b1/keys.sealed", "h1:/dev/b1/manifest.json"],
    ]);
    const manifest = JSON.parse(String(world.archive.files.get("h1:/dev/b1/manifest.json"))) as object;
    expect(manifest).toMatchObject({
      ...{
        node: "dev-0",
        kubernetesVersion: "v1.33.13+k3s1",
        objects: { namespaces: 2 },
        etcd: { revision: 2, keys: 2 },
      },
    });
    expect(ledger.backups).toMatchObject([{ id: "b1", clusterId: cluster.id, manifest, drill: null }]);
    expect(namesIn("/var/lib/drover/backups")).toEqual([]);
    for (const { ran } of world.machines.values()) expect(JSON.stringify(ran)).not.toContain(tokenNow());
  });

  it("comes whole of being killed after any word, and half of one is never listed", async () => {
    for (let words = 0; ; words += 1) {
      const id = `b${words}`;
      const [take] = stepsOf(upkeep().backUp(cluster)) as [PlanStep];
      mortals.wordsLeft = words;
      const died = await bench.runStep(cluster, take, runOf(id)).then(
        () => false,
        () => true,
      );
      const isListed = ledger.backups.some((backup) => backup.id === id);
      if (isListed) expect(world.archive.files.has(`h1:/dev/${id}/manifest.json`)).toBe(true);
      mortals.wordsLeft = Number.POSITIVE_INFINITY;
      await backUp(id);
      expect(ledger.backups.filter((backup) => backup.id === id)).toHaveLength(1);
      if (!died) break;
    }
  });

  it("says why, when no server has a database", async () => {
    first().units.set("k3s", { enabled: true, active: false });
    await expect(backUp()).rejects.toMatchObject({
      code: "cluster-not-ready",
      message: expect.stringMatching(/dev-0 does not answer/),
    });
  });

  it("has the oldest go beyond those that are kept", async () => {
    const backup = { schedule: "0 3 * * *", keep: 2, destination: { type: "directory", path: "/b" } };
    cluster = world.cluster("dev", { workers: 1, ssh: { backup } });
    expect(world.provider.validate(cluster.spec)).toEqual([]);
    for (const id of ["b1", "b2", "b3"]) await backUp(id);
    expect(ledger.backups.map(({ id }) => id)).toEqual(["b3", "b2"]);
  });
});

describe("a restore", () => {
  it("brings back what was there, and nothing that came after", async () => {
    first().files.set(`${DATABASE}/snapshots/own`, "taken by k3s itself");
    namespaces().add("shop");
    await backUp();
    namespaces().delete("shop");
    namespaces().add("later");
    await restore();
    expect([...namespaces()]).toEqual(["default", "kube-system", "shop"]);
    expect(namesIn(DATABASE)).toEqual([`${DATABASE}/etcd`, `${DATABASE}/snapshots/own`]);
    expect(namesIn("/var/lib/drover/restore")).toEqual([]);
    expect(namesIn("/var/lib/drover/snapshots")).toHaveLength(1);
    expect(first().units.get("k3s")).toEqual({ enabled: true, active: true });
  });

  it("stops nothing where there is no room for its database, or the snapshot is none", async () => {
    await backUp();
    first().tells.push("disk\t/dev/vda1 20000000 5000000 1000 25% /");
    await expect(restore()).rejects.toMatchObject({
      code: "host-full",
      message: expect.stringMatching(/dev-0.*Nothing was stopped/),
    });
    first().tells.length = 0;
    const [backup] = ledger.backups;
    const spoilt = Buffer.from("no snapshot of etcd at all, though it is what the manifest says");
    world.archive.files.set("h1:/dev/b1/snapshot.db", spoilt);
    if (backup !== undefined) {
      const snapshot = { ...backup.manifest.snapshot, sha256: sha256(spoilt.toString()) };
      ledger.backups[0] = { ...backup, manifest: { ...backup.manifest, snapshot } };
    }
    await expect(restore("r2")).rejects.toMatchObject({
      code: "backup-damaged",
      message: expect.stringMatching(/of no use/),
    });
    expect(first().units.get("k3s")).toEqual({ enabled: true, active: true });
  });

  it("drops the old database of one before it after which the cluster went on", async () => {
    await backUp();
    const steps = stepsOf(upkeep().restore(cluster, "b1"));
    const until = (name: string) => steps.slice(0, steps.findIndex((step) => step.name === name) + 1);
    await bench.runSteps(cluster, until("start-k3s-restored"), runOf("r1"));
    expect(namesIn(`${DATABASE}/drover-old`)).toHaveLength(1);
    await bench.runSteps(cluster, until("bring-k3s-snapshot"), runOf("r2"));
    expect(namesIn(`${DATABASE}/drover-old`)).toEqual([]);
  });

  it("makes the other servers join the first one anew", async () => {
    await create(threeServers());
    await backUp();
    namespaces().add("later");
    const resets = () =>
      [...world.machines.values()].flatMap(({ ran }) => ran.filter((argv) => argv[3] === "drover-reset-k3s"));
    await restore();
    expect(resets()).toHaveLength(1);
    expect([...namespaces()]).toEqual(["default", "kube-system"]);
    const join = "/etc/rancher/k3s/config.yaml.d/drover-join.yaml";
    expect(first().files.get(join)).toContain("cluster-init: true");
    for (const host of ["ha-1", "ha-2"]) expect(world.machine(host).files.get(join)).toContain("server: https://");
  });

  it("goes on wherever it was killed", async () => {
    await create(threeServers());
    await backUp();
    for (let words = 0; ; words += 1) {
      namespaces().add("later");
      mortals.wordsLeft = words;
      let killed = false;
      for (const step of stepsOf(upkeep().restore(cluster, "b1"))) {
        try {
          await bench.runStep(cluster, step, runOf(`r${words}`));
        } catch (error) {
          if ((error as Error).message !== "killed") throw error;
          killed = true;
          mortals.wordsLeft = Number.POSITIVE_INFINITY;
          await bench.runStep(cluster, step, runOf(`r${words}`));
        }
      }
      mortals.wordsLeft = Number.POSITIVE_INFINITY;
      expect([...namespaces()], `after ${words} words`).toEqual(["default", "kube-system"]);
      for (const host of ["ha-0", "ha-1", "ha-2"]) {
        expect(world.machine(host).units.get("k3s"), `${host} after ${words} words`).toMatchObject({ active: true });
        expect(namesIn(`${DATABASE}/drover-old`, host)).toEqual([]);
      }
      if (!killed) break;
    }
  });

  it("is taken up by another job where one has failed for good, with the first database kept until the end", async () => {
    await backUp();
    namespaces().add("later");
    const steps = stepsOf(upkeep().restore(cluster, "b1"));
    const replaced = steps.findIndex(({ name }) => name === "restore-k3s-database");
    await bench.runSteps(cluster, steps.slice(0, replaced + 1), runOf("r1"));
    const old = `${DATABASE}/drover-old/etcd`;
    expect(first().files.get(old)).toBe("the database of a cluster");
    expect(first().units.get("k3s")).toEqual({ enabled: false, active: false });
    const again = stepsOf(upkeep().restore(cluster, "b1"));
    await bench.runSteps(cluster, again.slice(0, replaced + 1), runOf("r2"));
    expect(first().files.get(old)).toBe("the database of a cluster");
    await restore("r2");
    expect([...namespaces()]).toEqual(["default", "kube-system"]);
    expect(first().files.has(old)).toBe(false);
  });

  const empty = (host: string) => {
    const machine = world.machine(host);
    for (const folder of ["/etc/drover", "/var/lib/drover", "/etc/rancher", "/etc/systemd", "/var/lib/rancher"]) {
      machine.removeAll(folder);
    }
    machine.units.clear();
  };

  it("brings back a cluster whose only server was emptied, wherever that was cut off", async () => {
    namespaces().add("shop");
    await backUp();
    const then = tokenNow();
    for (let words = 0, killed = true; killed; words += 1) {
      empty("dev-0");
      namespaces().add("later");
      mortals.wordsLeft = words;
      killed = false;
      for (const step of stepsOf(upkeep().restore(cluster, "b1"))) {
        try {
          await bench.runStep(cluster, step, runOf(`r${words}`));
        } catch (error) {
          if ((error as Error).message !== "killed") throw error;
          killed = true;
          mortals.wordsLeft = Number.POSITIVE_INFINITY;
          await bench.runStep(cluster, step, runOf(`r${words}`));
        }
      }
      mortals.wordsLeft = Number.POSITIVE_INFINITY;
      expect([...namespaces()], `after ${words} words`).toEqual(["default", "kube-system", "shop"]);
      expect(tokenNow().split(":").at(-1)).toBe(then);
      expect(namesIn("/var/lib/drover/restore")).toEqual([]);
    }
    const [seen] = await world.provider.observe([cluster], { signal, thorough: true });
    expect(seen?.body["machines"]).toMatchObject([{ node: "dev-0", stage: "member" }, { node: "dev-1" }]);
  });

  it("makes a database of servers that are left, which those that were lost join", async () => {
    await create(threeServers());
    await backUp();
    for (const host of ["ha-0", "ha-2"]) empty(host);
    namespaces().add("later");
    await restore();
    expect([...namespaces()]).toEqual(["default", "kube-system"]);
    const resets = [...world.machines].flatMap(([name, { ran }]) =>
      ran.some((argv) => argv[3] === "drover-reset-k3s") ? [name] : [],
    );
    expect(resets).toEqual(["ha-1"]);
    for (const host of ["ha-0", "ha-2"]) expect(world.machine(host).units.get("k3s")).toMatchObject({ active: true });
  });

  it("goes by the token of the backup, on every node", async () => {
    await backUp();
    const then = tokenNow();
    for (const [host, path] of [
      ["dev-0", SECRETS],
      ["dev-1", SECRETS.replace("k3s.", "k3s-agent.")],
    ] as const) {
      world.machine(host).files.set(path, 'K3S_TOKEN="of later"\n');
    }
    await restore();
    expect(tokenNow().split(":").at(-1)).toBe(then);
    expect(world.machine("dev-1").files.get(SECRETS.replace("k3s.", "k3s-agent."))).toContain(then);
    for (const { ran } of world.machines.values()) expect(JSON.stringify(ran)).not.toContain(then);
  });

  it("touches nothing when a file is damaged, or the machines have another authority", async () => {
    await backUp();
    const before = world.inventory();
    const path = "h1:/dev/b1/snapshot.db";
    const whole = world.archive.files.get(path) as Buffer;
    world.archive.files.set(path, Buffer.from("spoilt"));
    await expect(restore()).rejects.toMatchObject({
      code: "backup-damaged",
      message: expect.stringMatching(/snapshot\.db/),
    });
    world.archive.files.set(path, whole);
    first().files.set("/var/lib/rancher/k3s/server/tls/server-ca.crt", "another");
    await expect(restore()).rejects.toMatchObject({
      code: "backup-unfit",
      message: expect.stringMatching(/authority/),
    });
    expect(world.inventory()).toEqual(before);
  });
});

describe("a drill", () => {
  it("passes on a backup that is as it was, leaves nothing, and is told with the backup", async () => {
    await backUp();
    const before = world.inventory();
    await drill();
    expect(ledger.backups[0]?.drill).toMatchObject({
      passed: true,
      jobId: "d1",
      message: expect.stringMatching(/2 namespaces/),
    });
    expect(world.inventory()).toEqual(before);
    for (const { ran } of world.machines.values()) expect(JSON.stringify(ran)).not.toContain(tokenNow());
  });

  it("fails on one in which something else is than was", async () => {
    await backUp();
    const [backup] = ledger.backups;
    if (backup === undefined) throw new Error("there is no backup");
    ledger.backups[0] = { ...backup, manifest: { ...backup.manifest, objects: { namespaces: 3 } } };
    await expect(drill()).rejects.toMatchObject({
      code: "backup-damaged",
      message: expect.stringMatching(/namespaces: 2 instead of 3/),
    });
    expect(ledger.backups[0]).toMatchObject({ drill: { passed: false } });
  });

  it("fails on one whose token is another than it was made with, and clears up", async () => {
    await backUp();
    const [backup] = ledger.backups;
    if (backup === undefined) throw new Error("there is no backup");
    const sealed = Buffer.from(world.archive.seal(`backup ${cluster.id} b1`, Buffer.from("K10abc::server:another")));
    world.archive.files.set("h1:/dev/b1/keys.sealed", sealed);
    const keys = { ...backup.manifest.keys, sha256: sha256(sealed.toString()) };
    ledger.backups[0] = { ...backup, manifest: { ...backup.manifest, keys } };
    await expect(drill()).rejects.toMatchObject({
      code: "backup-damaged",
      message: expect.stringMatching(/another token/),
    });
    expect(namesIn("/var/lib/drover/drill")).toEqual([]);
  });
});

describe("certificates", () => {
  it("are seen on servers, under the names that k3s gives them", async () => {
    const [seen] = await world.provider.observe([cluster], { signal, thorough: true });
    expect(seen?.body["certificatesOnNodes"]).toMatchObject([{ name: "server-ca", node: "dev-0", authority: true }]);
  });

  it("are renewed by starting every node anew, once a job and one after the other", async () => {
    const starts = () =>
      [...world.machines.values()].flatMap(({ ran }) => ran.filter((argv) => argv[3] === "drover-start-k3s")).length;
    const before = starts();
    const modules = upkeep().renewCertificates(cluster);
    expect(new Set(stepsOf(modules).map(({ task }) => task)).size).toBe(4);
    await runAll(modules, "n1");
    expect(starts()).toBe(before + 2);
    await runAll(modules, "n1");
    expect(starts()).toBe(before + 2);
  });
});

it("no server is stopped for a renewal or a restart while another one is not ready", async () => {
  const isGate = ({ task }: PlanStep) => task.startsWith("Gate before");
  expect(stepsOf(upkeep().renewCertificates(cluster)).filter(isGate)).toEqual([]);
  await create(threeServers());
  const [gate] = stepsOf(upkeep().renewCertificates(cluster));
  expect(gate).toMatchObject({ task: "Gate before the renewal", input: { nodes: ["ha-0", "ha-1", "ha-2"] } });
  const [observed] = await world.provider.observe([cluster], { signal, thorough: true });
  if (observed === undefined) throw new Error("nothing was seen");
  const tasks = stepsOf(world.provider.plan(cluster, { kind: "repair", observed })).map(({ task }) => task);
  expect(tasks.indexOf("Gate before restarts")).toBe(tasks.indexOf("Configuration of ha-0") - 1);
});
