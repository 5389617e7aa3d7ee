import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { Authority } from "../../../test/fake-kubernetes/certificates.ts";
import { addressOf } from "../../../test/fake-machines/fake-kubeadm.ts";
import { FakeMachineWorld, NEWER } from "../../../test/fake-machines/world.ts";
import { BenchLedger, type BenchRun, StepBench } from "../../../test/step-bench.ts";
import { type Module, planSteps } from "../../domain/pipeline.ts";
import type { PlanStep } from "../../domain/plan.ts";
import { systemClock } from "../../ports/clock.ts";
import type { RemoteMachine } from "../../ports/machines.ts";
import type { ProviderCluster, Upkeep } from "../../ports/provider.ts";
import { systemTimer } from "../../ports/timer.ts";

const { signal } = new AbortController();
const NAMES = ["dev-a", "dev-b", "dev-c"];

type Answer = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };
/** What a machine says instead of what it would; undefined has it answer itself. */
type Instead = (host: string, argv: readonly string[]) => Partial<Answer> | undefined;

let world: FakeMachineWorld;
let ledger: BenchLedger;
let bench: StepBench;
let instead: Instead;
/** Everything that was run, on all machines. */
let ran: { readonly host: string; readonly words: string }[];

const wrap = (machine: RemoteMachine): RemoteMachine =>
  new Proxy(machine, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name === "runAll") return undefined;
      if (name !== "run") return value.bind(target);
      return async (command: { readonly argv: readonly string[] }): Promise<unknown> => {
        ran.push({ host: machine.host, words: command.argv.slice(command.argv[0] === "sh" ? 3 : 0).join(" ") });
        const said = instead(machine.host, command.argv);
        if (said === undefined) return await Reflect.apply(value, target, [command]);
        const whole = { exitCode: 0, stdout: "", stderr: "", ...said };
        return { ...whole, signal: null, dropped: { stdout: 0, stderr: 0 } };
      };
    },
  });

beforeEach(async () => {
  [instead, ran] = [() => undefined, []];
  world = await FakeMachineWorld.open();
  ledger = new BenchLedger(systemClock);
  world.ledger = ledger;
  const registry = new Map(world.provider.steps.map((step) => [step.name, step]));
  bench = new StepBench(registry, ledger, systemTimer, async (host) => wrap(world.machine(host)));
  onTestFinished(() => world.dispose());
});

const declare = (more: object = {}, version?: string): ProviderCluster =>
  world.cluster("dev", {
    ...(version === undefined ? {} : { version }),
    ssh: {
      nodes: [
        ...NAMES.map((name) => ({ name, address: addressOf(name), roles: ["controlplane", "etcd"] })),
        ...["dev-x", "dev-y"].map((name) => ({ name, address: addressOf(name), roles: ["worker"] })),
      ],
      endpoint: { type: "given", host: addressOf("dev-a") },
      ...more,
    },
  });

const runOf = (jobId: string): BenchRun => ({ jobId, kind: "update", token: 1 });
const stepsOf = (modules: readonly Module[]): readonly PlanStep[] => planSteps({ name: "test", modules });
const upkeep = (cluster: ProviderCluster) => world.provider.upkeep?.(cluster) as Upkeep;

async function plan(cluster: ProviderCluster, kind: "create" | "repair" | "upgrade" = "repair") {
  const [observed] = await world.provider.observe([cluster], { signal, thorough: true });
  if (observed === undefined) throw new Error("nothing was seen");
  return stepsOf(world.provider.plan(cluster, { kind, observed }));
}

async function bring(cluster: ProviderCluster, jobId: string): Promise<void> {
  await bench.runSteps(cluster, await plan(cluster), runOf(jobId));
}

const run = async (cluster: ProviderCluster, modules: readonly Module[], jobId: string) =>
  await bench.runSteps(cluster, stepsOf(modules), runOf(jobId));
const hostsOf = (words: RegExp) => ran.filter((one) => words.test(one.words)).map(({ host }) => host);
const isAskingHere = (argv: readonly string[]) => argv.includes("https://127.0.0.1:6443");

describe("certificates that have expired", () => {
  it("are made anew on all control planes before anything is waited for or stopped", async () => {
    const cluster = declare();
    await bring(cluster, "c1");
    const authority = new Authority();
    for (const name of NAMES) {
      const { cert } = authority.issue({ commonName: "etcd", endsAt: Date.now() - 1_000 });
      world.machine(name).files.set("/etc/kubernetes/pki/etcd/server.crt", cert);
    }
    const renewed = new Set<string>();
    // As with certificates that have expired: nobody answers before all have new ones.
    instead = (host, argv) => {
      if (argv.includes("renew")) renewed.add(host);
      const isQuestion = argv.includes("health") || isAskingHere(argv);
      return isQuestion && renewed.size < NAMES.length ? { exitCode: 1 } : undefined;
    };
    ran = [];
    await run(cluster, upkeep(cluster).renewCertificates(cluster), "n1");
    expect(hostsOf(/certs renew all/)).toEqual(NAMES);
    const first = ran.findIndex(({ words }) => /drover-stop-components|endpoint health|127\.0\.0\.1:6443/.test(words));
    expect(ran[first]?.words).toMatch(/drover-stop-components/);
    await run(cluster, upkeep(cluster).renewCertificates(cluster), "n1");
    expect(hostsOf(/certs renew all/)).toEqual(NAMES);
  });
});

describe("settings of API servers", () => {
  const apiServer = { extraArgs: [{ name: "v", value: "4" }] };

  it("that are bad stop one API server and no other, whoever else answers; taken back, it is mended", async () => {
    await bring(declare(), "c1");
    instead = (host, argv) => (host === "dev-a" && isAskingHere(argv) ? { exitCode: 1 } : undefined);
    ran = [];
    await expect(bring(declare({ apiServer }), "u1")).rejects.toMatchObject({
      ...{ code: "step-not-verified", message: expect.stringMatching(/API server of dev-a/) },
    });
    expect(hostsOf(/phase control-plane apiserver/)).toEqual(["dev-a"]);
    instead = () => undefined;
    ran = [];
    await bring(declare(), "u2");
    expect(hostsOf(/phase control-plane apiserver/)).toEqual(["dev-a"]);
  });

  it("stop none while no other one answers", async () => {
    await bring(declare(), "c1");
    instead = (host, argv) => (host !== "dev-a" && isAskingHere(argv) ? { exitCode: 1 } : undefined);
    ran = [];
    await expect(bring(declare({ apiServer }), "u1")).rejects.toMatchObject({
      ...{ code: "cluster-not-ready", message: expect.stringMatching(/dev-b, dev-c.*dev-a is not stopped/) },
    });
    expect(hostsOf(/drover-stop-components/)).toEqual([]);
  });
});

describe("settings of nodes", () => {
  const kubeletArgs = [{ name: "max-pods", value: "x" }];
  const tasks = (steps: readonly PlanStep[]) => [
    ...new Set(steps.filter(({ name }) => name === "prepare-ssh-machine").map(({ task }) => task)),
  ];

  it("go to all machines at once before they are nodes, then to one after the other", async () => {
    const cluster = declare();
    expect(tasks(await plan(cluster, "create"))).toEqual(["Settings"]);
    await bring(cluster, "c1");
    const careful = [...NAMES.map((name) => `Settings of ${name}`), "Settings, wave 1", "Settings, wave 2"];
    expect(tasks(await plan(cluster))).toEqual(careful);
    expect(tasks(await plan(declare({}, NEWER), "upgrade")).slice(0, 5)).toEqual(careful);
  });

  it("that a kubelet does not stay up with reach no other node", async () => {
    await bring(declare(), "c1");
    instead = (_host, argv) =>
      argv[3] === "drover-apply-settings" && argv.includes("member") ? { exitCode: 1, stderr: "unknown" } : undefined;
    ran = [];
    await expect(bring(declare({ kubeletArgs }), "u1")).rejects.toMatchObject({ message: "dev-a: unknown" });
    expect(hostsOf(/drover-apply-settings/)).toEqual(["dev-a"]);
  });

  it("with which a node does not become ready again reach no other node", async () => {
    await bring(declare(), "c1");
    instead = (host, argv) => {
      if (argv[3] === "drover-apply-settings") world.clusters.clusterOf(host)?.unready.add(host);
      return undefined;
    };
    ran = [];
    await expect(bring(declare({ kubeletArgs }), "u1")).rejects.toMatchObject({ code: "step-not-verified" });
    expect(hostsOf(/drover-apply-settings/)).toEqual(["dev-a"]);
  });

  it("that are removed have an end on the machines", async () => {
    const PROXY = "/etc/systemd/system/containerd.service.d/drover-proxy.conf";
    const registryMirrors = [{ host: "docker.io", endpoints: ["https://mirror.example.com"] }];
    const { files } = world.machine("dev-a");
    await bring(declare({ proxy: { http: "http://proxy.example.com" }, registryMirrors }), "c1");
    expect(files.get(PROXY)).toContain("HTTP_PROXY");
    instead = (_host, argv) => (argv[3] === "drover-drop-files" ? {} : undefined);
    ran = [];
    await bring(declare(), "u1");
    expect(files.get(PROXY)).toBe("[Service]\n");
    expect(hostsOf(/drover-drop-files.*docker\.io\/hosts\.toml/)).toEqual([...NAMES, "dev-x", "dev-y"]);
    ran = [];
    await bring(declare(), "u2");
    expect(hostsOf(/drover-(drop-files|apply-settings)/)).toEqual([]);
  });
});

describe("a restore", () => {
  const restore = (jobId: string) => {
    const cluster = declare();
    return run(cluster, upkeep(cluster).restore(cluster, "b1"), jobId);
  };
  const SIDE = "/var/lib/etcd/drover-restore";
  beforeEach(async () => {
    const cluster = declare();
    await bring(cluster, "c1");
    await run(cluster, upkeep(cluster).backUp(cluster), "b1");
    ran = [];
  });

  it("stops nothing where a database cannot be made of the snapshot", async () => {
    instead = (host, argv) =>
      host === "dev-c" && argv[3] === "drover-restore-etcd"
        ? { exitCode: 1, stderr: "write: no space left on device" }
        : undefined;
    await expect(restore("r1")).rejects.toMatchObject({ code: "host-full", message: expect.stringMatching(/dev-c/) });
    expect(hostsOf(/drover-stop-components/)).toEqual([]);
  });

  it("keeps what is there now on a member that answers, whichever that is", async () => {
    instead = (host, argv) =>
      host === "dev-a" && argv.includes("health") && hostsOf(/save/).length === 0 ? { exitCode: 1 } : undefined;
    await restore("r1");
    expect(hostsOf(/snapshot save .*before-restore-r1/)).toEqual(["dev-b"]);
  });

  it("drops the old database of one before it after which the cluster went on, and of no other", async () => {
    const cluster = declare();
    const steps = stepsOf(upkeep(cluster).restore(cluster, "b1"));
    const until = (name: string) => steps.slice(0, steps.findLastIndex((step) => step.name === name) + 1);
    const old = (name: string) => world.machine(name).files.get(`${SIDE}/old`);
    const keepOld = () => {
      for (const name of NAMES) world.machine(name).files.set(`${SIDE}/old`, "of before");
    };
    await bench.runSteps(cluster, until("begin-ssh-etcd"), runOf("r1"));
    keepOld();
    await bench.runSteps(cluster, until("bring-ssh-snapshot"), runOf("r2"));
    expect(NAMES.map(old)).toEqual(NAMES.map(() => "of before"));
    await bench.runSteps(cluster, until("start-ssh-control-plane"), runOf("r3"));
    keepOld();
    await bench.runSteps(cluster, until("bring-ssh-snapshot"), runOf("r4"));
    expect(NAMES.map(old)).toEqual(NAMES.map(() => undefined));
  });
});

it("a backup without the key of an authority is none", async () => {
  const cluster = declare();
  await bring(cluster, "c1");
  for (const name of NAMES) world.machine(name).files.set("/etc/kubernetes/pki/ca.key", "");
  await expect(run(cluster, upkeep(cluster).backUp(cluster), "b1")).rejects.toMatchObject({
    message: expect.stringMatching(/pki\/ca\.key/),
  });
  expect(ledger.backups).toEqual([]);
});

describe("an upgrade", () => {
  const first = (steps: readonly PlanStep[]) => steps.slice(0, 1);

  it("begins only while all control planes are well, and says which is not", async () => {
    await bring(declare(), "c1");
    const newer = declare({}, NEWER);
    const steps = await plan(newer, "upgrade");
    const look = world.parts.kubernetes.look;
    onTestFinished(() => void Object.assign(world.parts.kubernetes, { look }));
    const say = (status: "NotReady" | "Cordoned") =>
      Object.assign(world.parts.kubernetes, {
        look: async (...args: Parameters<typeof look>) => {
          const seen = await look(...args);
          return { ...seen, nodes: seen.nodes.map((node) => (node.name === "dev-b" ? { ...node, status } : node)) };
        },
      });
    say("NotReady");
    await expect(bench.runSteps(newer, first(steps), runOf("u1"))).rejects.toMatchObject({
      ...{
        code: "cluster-not-ready",
        message: expect.stringMatching(/dev-b of dev is not ready.*Nothing was stopped for the upgrade/),
      },
    });
    say("Cordoned");
    await bench.runSteps(newer, first(steps), runOf("u1"));
  });
});
