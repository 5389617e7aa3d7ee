import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { MortalMachines } from "../../../test/fake-machines/mortal-machines.ts";
import { FakeMachineWorld } from "../../../test/fake-machines/world.ts";
import { BenchLedger, type BenchRun, StepBench } from "../../../test/step-bench.ts";
import type { Module } from "../../domain/pipeline.ts";
import { planSteps } from "../../domain/pipeline.ts";
import type { PlanStep } from "../../domain/plan.ts";
import type { Sighting } from "../../domain/sighting.ts";
import { systemClock } from "../../ports/clock.ts";
import type { ProviderCluster, Upkeep } from "../../ports/provider.ts";
import { systemTimer } from "../../ports/timer.ts";

const { signal } = new AbortController();

let world: FakeMachineWorld;
let ledger: BenchLedger;
let bench: StepBench;
let cluster: ProviderCluster;
let mortals: MortalMachines;

beforeEach(async () => {
  mortals = new MortalMachines();
  world = await FakeMachineWorld.open();
  ledger = new BenchLedger(systemClock);
  world.ledger = ledger;
  const registry = new Map(world.provider.steps.map((step) => [step.name, step]));
  bench = new StepBench(registry, ledger, systemTimer, async (host) => mortals.wrap(world.machine(host)));
  cluster = world.cluster("dev", { workers: 1 });
  const [observed] = await world.provider.observe([cluster], { signal, thorough: true });
  if (observed === undefined) throw new Error("nothing was seen");
  await runAll(world.provider.plan(cluster, { kind: "create", observed }), "create");
  onTestFinished(() => world.dispose());
});

const upkeep = () => world.provider.upkeep?.(cluster) as Upkeep;
const stepsOf = (modules: readonly Module[]): readonly PlanStep[] => planSteps({ name: "upkeep", modules });
const runOf = (jobId: string): BenchRun => ({ jobId, kind: "backup", token: 1 });

async function runAll(modules: readonly Module[], jobId: string): Promise<void> {
  await bench.runSteps(cluster, stepsOf(modules), runOf(jobId));
}

/** As the journal has it: what has ended is not asked again, and what was cut off begins with its precheck. */
async function runKilledAt(modules: readonly Module[], jobId: string, words: number): Promise<boolean> {
  mortals.wordsLeft = words;
  let killed = false;
  for (const step of stepsOf(modules)) {
    try {
      await bench.runStep(cluster, step, runOf(jobId));
    } catch (error) {
      if ((error as Error).message !== "killed") throw error;
      killed = true;
      mortals.wordsLeft = Number.POSITIVE_INFINITY;
      await bench.runStep(cluster, step, runOf(jobId));
    }
  }
  mortals.wordsLeft = Number.POSITIVE_INFINITY;
  return killed;
}

const backUp = (jobId = "b1") => runAll(upkeep().backUp(cluster), jobId);
const namespaces = () => world.clusters.clusterOf("dev-0")?.namespaces as Set<string>;
const cp = () => world.machine("dev-0");
const namesIn = (folder: string) => [...cp().files.keys()].filter((path) => path.startsWith(folder)).sort();

describe("a backup", () => {
  it("is snapshot, sealed keys and manifest at its destination, and then it is listed", async () => {
    await backUp();
    expect([...world.archive.files.keys()]).toEqual([
      ...["h1:/dev/b1/snapshot.db", "h1:/dev/b1/keys.sealed", "h1:/dev/b1/manifest.json"],
    ]);
    const manifest = JSON.parse(String(world.archive.files.get("h1:/dev/b1/manifest.json"))) as object;
    expect(ledger.backups).toMatchObject([{ id: "b1", clusterId: cluster.id, manifest, drill: null }]);
    expect(manifest).toMatchObject({
      ...{ node: "dev-0", kubernetesVersion: "v1.33.13", objects: { namespaces: 2 }, etcd: { revision: 7 } },
    });
    expect(namesIn("/var/lib/drover/backups")).toEqual([]);
  });

  it("comes whole of being killed after any word, and half of one is never listed", async () => {
    for (let words = 0; ; words += 1) {
      const id = `b${words}`;
      const modules = upkeep().backUp(cluster);
      mortals.wordsLeft = words;
      const [take] = stepsOf(modules) as [PlanStep];
      const died = await bench.runStep(cluster, take, runOf(id)).then(
        () => false,
        () => true,
      );
      const isListed = ledger.backups.some((backup) => backup.id === id);
      if (isListed) expect(world.archive.files.has(`h1:/dev/${id}/manifest.json`)).toBe(true);
      mortals.wordsLeft = Number.POSITIVE_INFINITY;
      await runAll(modules, id);
      expect(ledger.backups.filter((backup) => backup.id === id)).toHaveLength(1);
      if (!died) break;
    }
  });

  it("says why, when no database answers", async () => {
    cp().files.delete("/etc/kubernetes/manifests/etcd.yaml");
    await expect(backUp()).rejects.toMatchObject({
      code: "cluster-not-ready",
      message: expect.stringMatching(/dev-0 does not answer/),
    });
  });

  it("has the oldest go beyond those that are kept, file by file", async () => {
    const backup = { schedule: "0 3 * * *", keep: 2, destination: { type: "directory", path: "/b" } };
    cluster = world.cluster("dev", { workers: 1, ssh: { backup } });
    for (const id of ["b1", "b2", "b3"]) await backUp(id);
    expect(ledger.backups.map(({ id }) => id)).toEqual(["b3", "b2"]);
    expect([...world.archive.files.keys()].filter((path) => path.includes("b1"))).toEqual([]);
  });
});

describe("a restore", () => {
  it("brings back what was there, and nothing that came after", async () => {
    namespaces().add("shop");
    await backUp();
    namespaces().delete("shop");
    namespaces().add("later");
    await runAll(upkeep().restore(cluster, "b1"), "r1");
    expect([...namespaces()]).toEqual(["default", "kube-system", "shop"]);
    expect(namesIn("/etc/kubernetes/manifests")).toHaveLength(4);
    expect(namesIn("/var/lib/drover/restore")).toEqual([]);
    expect(namesIn("/var/lib/drover/snapshots")).toEqual(["/var/lib/drover/snapshots/before-restore-r1.db"]);
  });

  it("goes on wherever it was killed", async () => {
    await backUp();
    for (let words = 0; ; words += 1) {
      namespaces().add("later");
      const killed = await runKilledAt(upkeep().restore(cluster, "b1"), `r${words}`, words);
      expect([...namespaces()], `after ${words} words`).toEqual(["default", "kube-system"]);
      expect(namesIn("/etc/kubernetes/manifests"), `after ${words} words`).toHaveLength(4);
      if (!killed) break;
    }
  });

  it("is taken up by another job where one has failed for good", async () => {
    await backUp();
    namespaces().add("later");
    const modules = upkeep().restore(cluster, "b1");
    const steps = stepsOf(modules);
    const stopped = steps.findIndex(({ name }) => name === "stop-ssh-control-plane");
    await bench.runSteps(cluster, steps.slice(0, stopped + 1), runOf("r1"));
    expect(namesIn("/etc/kubernetes/manifests")).toEqual([]);
    await runAll(modules, "r2");
    expect([...namespaces()]).toEqual(["default", "kube-system"]);
  });

  it("touches nothing when a file is damaged, missing, or of another authority", async () => {
    await backUp();
    const before = world.inventory();
    const restore = () => runAll(upkeep().restore(cluster, "b1"), "r1");
    const path = "h1:/dev/b1/snapshot.db";
    const whole = world.archive.files.get(path) as Buffer;
    world.archive.files.set(path, Buffer.from("spoilt"));
    await expect(restore()).rejects.toMatchObject({
      code: "backup-damaged",
      message: expect.stringMatching(/snapshot\.db/),
    });
    world.archive.files.delete(path);
    await expect(restore()).rejects.toMatchObject({
      code: "backup-damaged",
      message: expect.stringMatching(/missing/),
    });
    world.archive.files.set(path, whole);
    expect(world.inventory()).toEqual(before);
    cp().files.set("/etc/kubernetes/pki/ca.crt", "another");
    await expect(restore()).rejects.toMatchObject({
      code: "backup-unfit",
      message: expect.stringMatching(/authority/),
    });
    await expect(runAll(upkeep().restore(cluster, "b7"), "r1")).rejects.toMatchObject({ code: "backup-not-found" });
    expect(world.inventory()).toEqual(before);
  });

  it("waits for a control plane that does not answer: it would come back with another history", async () => {
    await backUp();
    cp().isCutOff = true;
    await expect(runAll(upkeep().restore(cluster, "b1"), "r1")).rejects.toMatchObject({ code: "machine-unreachable" });
  });

  it("forgets nodes that left after the backup was taken", async () => {
    await backUp();
    world.clusters.clusterOf("dev-0")?.nodes.set("old", world.clusters.newNode("v1.33.13"));
    await runAll(upkeep().restore(cluster, "b1"), "r1");
    expect([...(world.clusters.clusterOf("dev-0")?.nodes.keys() ?? [])]).toEqual(["dev-0", "dev-1"]);
  });
});

describe("a cluster whose only control plane was emptied", () => {
  const repair = async () => {
    const [observed] = await world.provider.observe([cluster], { signal, thorough: true });
    await runAll(world.provider.plan(cluster, { kind: "repair", observed: observed as Sighting }), "repair");
  };
  const empty = () => cp().files.clear();

  it("is never begun anew beside nodes that are left", async () => {
    await backUp();
    empty();
    await expect(repair()).rejects.toMatchObject({
      code: "control-planes-lost",
      message: expect.stringMatching(/dev-1/),
    });
    expect(cp().files.has("/etc/kubernetes/admin.conf")).toBe(false);
  });

  it("comes back with the data of a backup, and its nodes with it", async () => {
    namespaces().add("shop");
    await backUp();
    namespaces().delete("shop");
    empty();
    await runAll(upkeep().restore(cluster, "b1"), "r1");
    expect([...namespaces()]).toEqual(["default", "kube-system", "shop"]);
    expect([...(world.clusters.clusterOf("dev-0")?.nodes.keys() ?? [])].sort()).toEqual(["dev-0", "dev-1"]);
    expect(cp().ran.filter((argv) => argv[3] === "drover-stop-components")).toEqual([]);
    expect(namesIn("/var/lib/drover/restore")).toEqual([]);
    await repair();
    expect(JSON.parse(cp().files.get("/etc/drover/cluster.json") ?? "{}")).toMatchObject({ stage: "complete" });
  });

  it("comes back wherever that was killed", async () => {
    namespaces().add("shop");
    await backUp();
    for (let words = 0; ; words += 1) {
      empty();
      namespaces().delete("shop");
      const killed = await runKilledAt(upkeep().restore(cluster, "b1"), `r${words}`, words);
      expect([...namespaces()], `after ${words} words`).toEqual(["default", "kube-system", "shop"]);
      if (!killed) break;
    }
  });
});

describe("a drill", () => {
  const drill = (jobId = "d1") => runAll(upkeep().drill(cluster, "b1"), jobId);

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
  });

  it("fails on one in which something else is than was, and that is told as well", async () => {
    await backUp();
    const [backup] = ledger.backups;
    if (backup === undefined) throw new Error("there is no backup");
    ledger.backups[0] = { ...backup, manifest: { ...backup.manifest, objects: { namespaces: 3 } } };
    await expect(drill()).rejects.toMatchObject({
      code: "backup-damaged",
      message: expect.stringMatching(/namespaces: 2 instead of 3/),
    });
    expect(ledger.backups[0]).toMatchObject({
      drill: { passed: false, message: expect.stringMatching(/2 instead of 3/) },
    });
    await expect(drill(), "asked again, it has not passed").rejects.toMatchObject({ code: "backup-damaged" });
    world.archive.files.delete("h1:/dev/b1/keys.sealed");
    await expect(drill("d2")).rejects.toMatchObject({
      code: "backup-damaged",
      message: expect.stringMatching(/keys\.sealed/),
    });
  });
});

describe("the renewal of certificates", () => {
  const CERTIFICATE = "/etc/kubernetes/pki/apiserver.crt";

  it("renews them once a job, and every component starts anew and runs", async () => {
    await runAll(upkeep().renewCertificates(cluster), "n1");
    expect(cp().files.get(CERTIFICATE)).toBe("renewed ");
    const stopped = cp().ran.flatMap((argv) => (argv[3] === "drover-stop-components" ? argv.slice(5) : []));
    expect(stopped).toEqual(["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"]);
    expect(namesIn("/etc/kubernetes/manifests")).toHaveLength(4);
    await runAll(upkeep().renewCertificates(cluster), "n1");
    expect(cp().files.get(CERTIFICATE)).toBe("renewed ");
  });

  it("leaves no component stopped, wherever it was killed", async () => {
    for (let words = 0; ; words += 1) {
      const killed = await runKilledAt(upkeep().renewCertificates(cluster), `n${words}`, words);
      expect(namesIn("/etc/kubernetes/manifests"), `after ${words} words`).toHaveLength(4);
      if (!killed) break;
    }
  });
});

it("certificates are seen with when they end, and said to end soon only when they do", async () => {
  const [seen] = await world.provider.observe([cluster], { signal, thorough: true });
  const listed = (seen?.body["certificatesOnNodes"] ?? []) as { name: string; node: string; endTime: string }[];
  expect(listed).toMatchObject([{ name: "ca", node: "dev-0", path: "/etc/kubernetes/pki/ca.crt" }]);
  const [quick] = await world.provider.observe([cluster], { signal, thorough: false });
  expect(quick?.body["certificatesOnNodes"]).toEqual(listed);
});
