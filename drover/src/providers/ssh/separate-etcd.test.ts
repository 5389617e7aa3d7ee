import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { addressOf } from "../../../test/fake-machines/fake-kubeadm.ts";
import { MortalMachines } from "../../../test/fake-machines/mortal-machines.ts";
import { FakeMachineWorld, NEWER } from "../../../test/fake-machines/world.ts";
import { BenchLedger, type BenchRun, StepBench } from "../../../test/step-bench.ts";
import { type Module, planSteps } from "../../domain/pipeline.ts";
import { systemClock } from "../../ports/clock.ts";
import type { ProviderCluster, Upkeep } from "../../ports/provider.ts";
import { systemTimer } from "../../ports/timer.ts";

const { signal } = new AbortController();
const MANIFEST = "/etc/kubernetes/manifests/kube-apiserver.yaml";

let world: FakeMachineWorld;
let bench: StepBench;
let mortals: MortalMachines;
let runs = 0;
beforeEach(async () => {
  world = await FakeMachineWorld.open();
  world.ledger = new BenchLedger(systemClock);
  const registry = new Map(world.provider.steps.map((step) => [step.name, step]));
  mortals = new MortalMachines();
  bench = new StepBench(registry, world.ledger, systemTimer, async (host) => mortals.wrap(world.machine(host)));
  onTestFinished(() => world.dispose());
});

/** One control plane, and workers of which these have etcd. */
function cluster(
  members: readonly string[],
  more: { version?: string; plain?: readonly string[]; etcd?: object; apiServer?: object } = {},
) {
  const { version, plain = [], etcd = {}, apiServer } = more;
  const node = (name: string, ...roles: readonly string[]) => ({ name, address: addressOf(name), roles });
  const nodes = [
    node("dev-0", "controlplane"),
    ...members.map((name) => node(name, "worker", "etcd")),
    ...plain.map((name) => node(name, "worker")),
  ];
  const ssh = { nodes, etcd: { topology: "separate", ...etcd }, ...(apiServer && { apiServer }) };
  return world.cluster("dev", version === undefined ? { ssh } : { ssh, version });
}

async function plan(of: ProviderCluster, kind: "create" | "update" | "repair" | "upgrade" | "delete") {
  const [observed] = await world.provider.observe([of], { signal, thorough: true });
  if (observed === undefined) throw new Error("nothing was seen");
  return planSteps({ name: kind, modules: world.provider.plan(of, { kind, observed }) });
}

async function bring(of: ProviderCluster, kind: "create" | "update" | "repair" | "upgrade" | "delete" = "create") {
  runs += 1;
  const run: BenchRun = { jobId: `job-${runs}`, kind, token: runs };
  return await bench.runSteps(of, await plan(of, kind), run);
}

/** The process dies after so many commands, whichever machine they were for; null when there were fewer. */
async function cutOffAfter(commands: number, work: () => Promise<unknown>): Promise<string | null> {
  let left = commands;
  const whole = [...world.machines.values()].map((machine) => [machine, machine.run.bind(machine)] as const);
  for (const [machine, run] of whole) {
    machine.run = async (command) => {
      if (left === 0) throw new Error("killed");
      left -= 1;
      return await run(command);
    };
  }
  try {
    await work();
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    for (const [machine, run] of whole) machine.run = run;
  }
}

const look = async (of: ProviderCluster) => (await world.provider.observe([of], { signal, thorough: true }))[0];
const upkeepOf = (of: ProviderCluster) => world.provider.upkeep?.(of) as Upkeep;
const names = () => world.database.members.map(({ name }) => name);
const url = (name: string) => `https://${addressOf(name)}:2379`;
const servers = () => /--etcd-servers=(.*)/.exec(world.machine("dev-0").files.get(MANIFEST) ?? "")?.[1]?.split(",");

it("offers it, with backups", () => {
  const { spec } = cluster(["e-1"]);
  expect(world.provider.validate(spec)).toEqual([]);
  const backup = { schedule: "0 3 * * *", keep: 1, destination: { type: "directory", path: "/x" } };
  const kept = { ...spec, ssh: { ...spec.ssh, backup } } as unknown as typeof spec;
  expect(world.provider.validate(kept)).toEqual([]);
});

describe("making it", () => {
  it("begins with one member, lets in the others with a vote at the end, and points the API server to all", async () => {
    const of = cluster(["e-1", "e-2", "e-3"]);
    await bring(of);
    expect(names()).toEqual(["e-1", "e-2", "e-3"]);
    expect(world.database.members.every((member) => world.database.isWell(member))).toBe(true);
    expect(servers()).toEqual(["e-1", "e-2", "e-3"].map(url));
    expect(world.machine("dev-0").files.has("/etc/drover/etcd/access/client.key")).toBe(true);
    expect(world.machine("dev-0").has("/etc/drover/etcd/pki")).toBe(false);
    expect(await look(of)).toMatchObject({
      complete: true,
      drift: [],
      message: "4 of 4 nodes are ready.",
      nodesTotal: 4,
    });
    const again = await bring(of, "update");
    expect(again.filter(({ state }) => state === "Succeeded")).toEqual([]);
  });

  it("goes on wherever it was cut off", async () => {
    const of = cluster(["e-1", "e-2", "e-3"]);
    const steps = await plan(of, "create");
    const until = steps.findIndex(({ name }) => name === "start-ssh-etcd");
    const run = (): BenchRun => {
      runs += 1;
      return { jobId: "job-cut", kind: "create", token: runs };
    };
    await bench.runSteps(of, steps.slice(0, until), run());
    const members = steps.filter(({ name }) => name === "start-ssh-etcd" || name === "give-ssh-etcd-access");
    let cuts = 0;
    for (let commands = 1; ; commands += 1) {
      const outcome = await cutOffAfter(commands, () => bench.runSteps(of, members, run()));
      if (outcome === null) break;
      expect(outcome).toBe("killed");
      cuts += 1;
    }
    expect(cuts).toBeGreaterThan(50);
    await bring(of);
    expect(names().sort()).toEqual(["e-1", "e-2", "e-3"]);
    expect(await look(of)).toMatchObject({ complete: true, drift: [] });
  });

  it("gives every machine back as it was", async () => {
    const of = cluster(["e-1"]);
    const before = world.inventory();
    await bring(of);
    await bring(of, "delete");
    expect(world.inventory()).toEqual(before);
    expect(world.machine("e-1").units.has("drover-etcd.service")).toBe(false);
  });
});

describe("members that change", () => {
  it("are added before the API server asks them, and are left alone by it before they go", async () => {
    await bring(cluster(["e-1"], { plain: ["e-2", "e-3"] }));
    expect(servers()).toEqual([url("e-1")]);
    await bring(cluster(["e-1", "e-2", "e-3"]), "update");
    expect(names()).toEqual(["e-1", "e-2", "e-3"]);
    expect(servers()).toEqual(["e-1", "e-2", "e-3"].map(url));
    const fewer = cluster(["e-1"], { plain: ["e-2", "e-3"] });
    expect((await look(fewer))?.drift).toMatchObject([{ actual: expect.stringContaining("e-2 still has etcd") }]);
    const steps = await plan(fewer, "update");
    const order = steps.map(({ name, host }) => `${name} ${host}`);
    expect(order.indexOf("point-ssh-api-server dev-0")).toBeLessThan(order.indexOf("retire-ssh-etcd e-2"));
    await bring(fewer, "update");
    expect(names()).toEqual(["e-1"]);
    expect(servers()).toEqual([url("e-1")]);
    expect(world.machine("e-2").has("/etc/drover/etcd")).toBe(false);
    expect(world.clusters.clusterOf("e-2")?.nodes.has("e-2")).toBe(true);
  });

  it("leave with their node", async () => {
    await bring(cluster(["e-1", "e-2", "e-3"], { plain: ["w"] }));
    world.database.hesitations = 2;
    await bring(cluster(["e-1"], { plain: ["w"] }), "update");
    expect(names()).toEqual(["e-1"]);
    expect(world.machine("e-3").has("/etc/drover")).toBe(false);
  });

  it("are replaced when their machine was emptied", async () => {
    const of = cluster(["e-1", "e-2", "e-3"]);
    await bring(of);
    const machine = world.machine("e-1");
    for (const folder of ["/etc/drover", "/var/lib/drover", "/etc/kubernetes", "/var/lib/etcd"])
      machine.removeAll(folder);
    machine.units.clear();
    expect(await look(of)).toMatchObject({
      message: expect.stringContaining("etcd is not healthy on e-1"),
      drift: [{ actual: expect.stringContaining("e-1 is missing") }],
    });
    await bring(of, "repair");
    expect(names().sort()).toEqual(["e-1", "e-2", "e-3"]);
    expect(await look(of)).toMatchObject({ message: "4 of 4 nodes are ready.", drift: [] });
  });

  it("are let in anew when only their data are lost, and never begin by themselves", async () => {
    const of = cluster(["e-1", "e-2", "e-3"]);
    await bring(of);
    expect(world.machine("e-1").files.get("/etc/drover/etcd/begin.env")).toContain("STATE=existing");
    world.machine("e-1").removeAll("/var/lib/etcd");
    // Started again, etcd makes its folders before it finds out that it has nothing to put there.
    world.machine("e-1").files.set("/var/lib/etcd/member/wal", "");
    expect(await look(of)).toMatchObject({ message: expect.stringContaining("etcd is not healthy on e-1") });
    const lost = world.database.members.find(({ name }) => name === "e-1")?.id;
    await bring(of, "repair");
    expect(names().sort()).toEqual(["e-1", "e-2", "e-3"]);
    expect(world.database.members.map(({ id }) => id)).not.toContain(lost);
  });

  it("are let in although another one was announced once and never came", async () => {
    await bring(cluster(["e-1"], { plain: ["e-2", "e-3"] }));
    world.database.add("", "https://198.18.0.99:2380", true);
    await bring(cluster(["e-1", "e-2", "e-3"]), "update");
    expect(names()).toEqual(["e-1", "e-2", "e-3"]);
  });

  it("are not replaced by an empty database when the last one is lost", async () => {
    const of = cluster(["e-1"]);
    await bring(of);
    for (const folder of ["/etc/drover", "/var/lib/drover", "/etc/kubernetes", "/var/lib/etcd"])
      world.machine("e-1").removeAll(folder);
    await expect(bring(of, "repair")).rejects.toMatchObject({
      code: "quorum-at-risk",
      message: expect.stringMatching(/nothing is begun anew/),
    });
  });

  it("are not stopped for new settings while another one is down", async () => {
    await bring(cluster(["e-1", "e-2", "e-3"]));
    world.machine("e-3").units.set("drover-etcd.service", { enabled: true, active: false });
    const changed = cluster(["e-1", "e-2", "e-3"], {
      etcd: { extraArgs: [{ name: "quota-backend-bytes", value: "9" }] },
    });
    // The one that is down comes back with its new settings only after the others were asked.
    await expect(bring(changed, "update")).rejects.toMatchObject({ code: "quorum-at-risk" });
  });
});

it("is upgraded after the snapshot and before the control planes, one member at a time", async () => {
  const members = ["e-1", "e-2", "e-3"];
  await bring(cluster(members));
  const newer = cluster(members, { version: NEWER });
  const tasks = [...new Set((await plan(newer, "upgrade")).map(({ task }) => task))];
  const from = tasks.indexOf("Snapshot");
  expect(tasks.slice(from, from + 6)).toEqual([
    ...["Snapshot", "Watchers", "etcd on e-1", "etcd on e-2", "etcd on e-3", "Control plane dev-0"],
  ]);
  await bring(newer, "upgrade");
  expect(members.map((name) => world.machine(name).files.get("/usr/local/bin/etcd"))).toEqual(
    members.map(() => `etcd ${NEWER}`),
  );
  expect([...world.machine("e-1").files.keys()]).toContainEqual(expect.stringMatching(/snapshots\/before-/));
});

it("stays where the API server asks when other settings of the API server change", async () => {
  const members = ["e-1", "e-2", "e-3"];
  await bring(cluster(members));
  const changed = cluster(members, { apiServer: { extraArgs: [{ name: "v", value: "3" }] } });
  const ran = await bring(changed, "update");
  expect(ran.filter(({ state }) => state === "Succeeded").map(({ name }) => name)).toEqual([
    "configure-ssh-control-plane",
  ]);
  expect(servers()).toEqual(members.map(url));
});

describe("its certificates", () => {
  const renew = async (of: ProviderCluster) => {
    runs += 1;
    const steps = planSteps({ name: "renew", modules: upkeepOf(of).renewCertificates(of) });
    return await bench.runSteps(of, steps, { jobId: `job-${runs}`, kind: "renew", token: runs });
  };

  it("are seen on members, and on control planes where they ask with them", async () => {
    const of = cluster(["e-1"], { plain: ["w"] });
    await bring(of);
    const listed = ((await look(of))?.body["certificatesOnNodes"] ?? []) as { node: string; name: string }[];
    expect(listed.map(({ node, name }) => `${node} ${name}`).sort()).toEqual([
      ...["dev-0 apiserver-etcd-client", "dev-0 ca", "dev-0 etcd/ca"],
      ...["e-1 etcd/ca", "e-1 etcd/peer", "e-1 etcd/server"],
    ]);
  });

  it("are renewed by the members and not by kubeadm on control planes, whose other components start anew", async () => {
    const of = cluster(["e-1"]);
    await bring(of);
    const [member, controlPlane] = [world.machine("e-1"), world.machine("dev-0")];
    const [SERVER, CLIENT] = ["/etc/drover/etcd/pki/server.crt", "/etc/drover/etcd/access/client.crt"];
    const kept = member.files.get(SERVER);
    await renew(of);
    expect(member.files.get(SERVER), "good for long").toBe(kept);
    const spent = world.database.authority.issue({ commonName: "etcd", endsAt: Date.now() - 1_000 }).cert;
    member.files.set(SERVER, spent);
    controlPlane.files.set(CLIENT, spent);
    controlPlane.ran.length = 0;
    await renew(of);
    expect([member.files.get(SERVER), controlPlane.files.get(CLIENT)]).not.toContain(spent);
    const stopped = controlPlane.ran.flatMap((argv) => (argv[3] === "drover-stop-components" ? argv.slice(5) : []));
    expect(stopped).toEqual(["kube-apiserver", "kube-controller-manager", "kube-scheduler"]);
  });
});

describe("its backups", () => {
  const of = () => cluster(["e-1", "e-2", "e-3"]);
  const run = async (modules: readonly Module[], jobId: string) => {
    runs += 1;
    await bench.runSteps(of(), planSteps({ name: "upkeep", modules }), { jobId, kind: "backup", token: runs });
  };
  const backUp = () => run(upkeepOf(of()).backUp(of()), "b1");
  const namespaces = () => world.clusters.clusterOf("dev-0")?.namespaces as Set<string>;
  const manifests = () =>
    [...world.machine("dev-0").files.keys()].filter((path) => path.startsWith("/etc/kubernetes/manifests/")).sort();

  it("are of a member, with the keys of a control plane, and leave nothing on either", async () => {
    await bring(of());
    await backUp();
    expect(world.ledger?.backups).toMatchObject([{ manifest: { node: "e-1", objects: { namespaces: 2 } } }]);
    for (const machine of world.machines.values()) expect(machine.has("/var/lib/drover/backups")).toBe(false);
  });

  it("come from another member when the first does not answer", async () => {
    await bring(of());
    world.machine("e-1").isCutOff = true;
    await backUp();
    expect(world.ledger?.backups).toMatchObject([{ manifest: { node: "e-2" } }]);
  });

  it("are proven beside a member", async () => {
    await bring(of());
    await backUp();
    const before = world.inventory();
    await run(upkeepOf(of()).drill(of(), "b1"), "d1");
    expect(world.ledger?.backups[0]?.drill).toMatchObject({
      passed: true,
      message: expect.stringMatching(/^Started on e-1: .*keys open/),
    });
    expect(world.inventory()).toEqual(before);
  });

  it("come back on all members while no API server runs, wherever that was cut off", async () => {
    await bring(of());
    await backUp();
    const before = manifests();
    for (let words = 0, killed = true; killed; words += 1) {
      namespaces().add("later");
      mortals.wordsLeft = words;
      killed = false;
      for (const step of planSteps({ name: "restore", modules: upkeepOf(of()).restore(of(), "b1") })) {
        runs += 1;
        const job: BenchRun = { jobId: `r${words}`, kind: "backup", token: runs };
        try {
          await bench.runStep(of(), step, job);
        } catch (error) {
          if ((error as Error).message !== "killed") throw error;
          killed = true;
          mortals.wordsLeft = Number.POSITIVE_INFINITY;
          await bench.runStep(of(), step, job);
        }
      }
      mortals.wordsLeft = Number.POSITIVE_INFINITY;
      expect([...namespaces()], `after ${words} words`).toEqual(["default", "kube-system"]);
      expect(manifests()).toEqual(before);
      expect(world.database.members.every((member) => world.database.isWell(member))).toBe(true);
      expect(world.machine("e-1").has("/var/lib/drover/restore")).toBe(false);
    }
    expect((await look(of()))?.drift).toEqual([]);
  });

  it("wait for a member that does not answer: it would come back with another history", async () => {
    await bring(of());
    await backUp();
    world.machine("e-3").isCutOff = true;
    const restore = run(upkeepOf(of()).restore(of(), "b1"), "r1");
    await expect(restore).rejects.toMatchObject({ code: "machine-unreachable" });
  });
});
