import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { addressOf } from "../../../test/fake-machines/fake-kubeadm.ts";
import { FakeMachineWorld, NEWER, OLDER } from "../../../test/fake-machines/world.ts";
import { BenchLedger, type BenchRun, StepBench } from "../../../test/step-bench.ts";
import { type Module, planSteps } from "../../domain/pipeline.ts";
import { systemClock } from "../../ports/clock.ts";
import type { RemoteMachine } from "../../ports/machines.ts";
import type { ProviderCluster, Rotation, Upkeep } from "../../ports/provider.ts";
import { systemTimer } from "../../ports/timer.ts";
import { readConfiguration } from "./encryption/configuration.ts";
import { makeSshProvider } from "./provider.ts";

const { signal } = new AbortController();
const KEYS = "/etc/kubernetes/drover/encryption.yaml";
const WORDS: ReadonlySet<string> = new Set(["run", "put", "get", "sendFile", "fetchFile"]);

let world: FakeMachineWorld;
let bench: StepBench;
let ledger: BenchLedger;
/** After so many more words the process is gone. */
let wordsLeft = Number.POSITIVE_INFINITY;
let jobs = 0;

/** Whatever is done to machines or to the store: nowhere in between may there be anything that cannot be read. */
function say(): void {
  expect(cluster().unreadable()).toEqual([]);
  if (wordsLeft === 0) throw new Error("killed");
  wordsLeft -= 1;
}

const mortal = (machine: RemoteMachine): RemoteMachine =>
  new Proxy(machine, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        if (WORDS.has(String(name))) say();
        return Reflect.apply(value, target, args);
      };
    },
  });

const names = ["dev-a", "dev-b", "dev-c"];
const declare = (encryptSecrets: boolean, nodes = names): ProviderCluster =>
  world.cluster("dev", {
    ssh: {
      nodes: nodes.map((name) => ({ name, address: addressOf(name), roles: ["controlplane", "etcd"] })),
      endpoint: { type: "given", host: addressOf("dev-a") },
      schedulableControlPlane: true,
      apiServer: { encryptSecrets },
    },
  });

const cluster = () => {
  const found = world.clusters.clusterOf("dev-a");
  if (found === undefined) return { unreadable: () => [], secrets: new Map(), apiServers: new Map() } as never;
  return found;
};
const stepsOf = (modules: readonly Module[]) => planSteps({ name: "test", modules });
const runOf = (jobId: string): BenchRun => ({ jobId, kind: "update", token: 1, onPoint: say });
const upkeep = (of: ProviderCluster) => world.provider.upkeep?.(of) as Upkeep;
const rotation = (of: ProviderCluster, what: Rotation) => world.provider.rotate?.(of, what) ?? [];

function newJob(): string {
  jobs += 1;
  return `job-${jobs}`;
}

async function run(of: ProviderCluster, modules: readonly Module[], jobId = newJob()): Promise<void> {
  await bench.runSteps(of, stepsOf(modules), runOf(jobId));
}

async function planFor(of: ProviderCluster): Promise<readonly Module[]> {
  const [observed] = await world.provider.observe([of], { signal, thorough: true });
  if (observed === undefined) throw new Error("nothing was seen");
  return world.provider.plan(of, { kind: "create", observed });
}
const bring = async (of: ProviderCluster) => run(of, await planFor(of));

/** As the journal has it: what has ended is not asked again, and what was cut off begins with its precheck. */
async function runKilledAt(of: ProviderCluster, modules: readonly Module[], words: number): Promise<boolean> {
  const jobId = newJob();
  wordsLeft = words;
  let killed = false;
  for (const step of stepsOf(modules)) {
    try {
      await bench.runStep(of, step, runOf(jobId));
    } catch (error) {
      if ((error as Error).message !== "killed") throw error;
      killed = true;
      wordsLeft = Number.POSITIVE_INFINITY;
      await bench.runStep(of, step, runOf(jobId));
    }
  }
  wordsLeft = Number.POSITIVE_INFINITY;
  return killed;
}

const keysOn = (name: string) => readConfiguration(world.machine(name).files.get(KEYS) ?? "").order;
/** With what all Secrets are written, and every API server reads besides plain text. */
function keyOfAll(): string {
  const written = new Set([...cluster().secrets.values()].map(({ writtenWith }) => writtenWith));
  expect([...written]).toHaveLength(1);
  const [key = ""] = written;
  for (const name of names) {
    expect(cluster().apiServers.get(name), name).toEqual([key, "identity"]);
    expect(keysOn(name)).toEqual([key, "identity"]);
  }
  return key;
}

function writeSome(): void {
  const [writtenWith = ""] = cluster().apiServers.get("dev-b") ?? [];
  for (const name of ["default/safe", "kube-system/other"]) cluster().secrets.set(name, { writtenWith });
}

beforeEach(async () => {
  wordsLeft = Number.POSITIVE_INFINITY;
  jobs = 0;
  world = await FakeMachineWorld.open();
  ledger = new BenchLedger(systemClock);
  world.ledger = ledger;
  const registry = new Map(world.provider.steps.map((step) => [step.name, step]));
  bench = new StepBench(registry, ledger, systemTimer, async (host) => mortal(world.machine(host)));
  onTestFinished(() => world.dispose());
});

describe("Secrets that are encrypted", () => {
  it("are so from the start, with one key on all control planes, also those that join later", async () => {
    await bring(declare(true, ["dev-a"]));
    await bring(declare(true));
    writeSome();
    keyOfAll();
    expect(cluster().isEncryptedByConfig).toBe(true);
    const secrets = readConfiguration(world.machine("dev-a").files.get(KEYS) ?? "").keys;
    for (const { ran } of world.machines.values()) {
      expect(JSON.stringify(ran)).not.toContain(secrets[0]?.secret);
    }
  });

  it("are Drover's to encrypt, or somebody else's: not both", () => {
    const extraArgs = [{ name: "encryption-provider-config", value: "/etc/own.yaml" }];
    const { spec } = world.cluster("dev", { ssh: { apiServer: { encryptSecrets: true, extraArgs } } });
    expect(world.provider.validate(spec)).toMatchObject([{ path: "spec.ssh.apiServer.extraArgs" }]);
    expect(world.provider.validate(declare(true).spec)).toEqual([]);
  });

  it("become so and cease to be so on a cluster that runs, wherever it is killed", async () => {
    await bring(declare(false));
    for (let words = 0; ; words += 7) {
      writeSome();
      const on = await runKilledAt(declare(true), await planFor(declare(true)), words);
      keyOfAll();
      const off = await runKilledAt(declare(false), await planFor(declare(false)), words);
      expect([...cluster().secrets.values()].every(({ writtenWith }) => writtenWith === "identity")).toBe(true);
      for (const name of names) expect(cluster().apiServers.get(name)).toEqual(["identity"]);
      for (const name of names) expect(world.machine(name).files.has(KEYS)).toBe(false);
      expect(cluster().isEncryptedByConfig).toBe(false);
      if (!on && !off) break;
    }
  });

  it("turn round where the wish changes half way", async () => {
    await bring(declare(true));
    writeSome();
    const key = keyOfAll();
    const steps = stepsOf(await planFor(declare(false)));
    const led = steps.findIndex(({ name }) => name === "lead-ssh-encryption");
    await bench.runSteps(declare(false), steps.slice(0, led + 3), runOf("half"));
    expect(cluster().apiServers.get("dev-a")?.[0]).toBe("identity");
    await bring(declare(true));
    expect(keyOfAll()).toBe(key);
  });

  it("are seen to be otherwise than declared", async () => {
    await bring(declare(false));
    const [off] = await world.provider.observe([declare(true)], { signal, thorough: true });
    expect(off?.drift).toMatchObject([{ path: "spec.ssh.apiServer.encryptSecrets", desired: "true" }]);
    await bring(declare(true));
    const [on] = await world.provider.observe([declare(true)], { signal, thorough: true });
    expect(on?.drift).toEqual([]);
  });

  it("stay readable where a machine has a key that Drover has lost", async () => {
    await bring(declare(true));
    const before = world.machine("dev-b").files.get(KEYS);
    ledger.secrets.clear();
    await expect(bring(declare(true))).rejects.toMatchObject({ code: "encryption-keys-unknown" });
    expect(world.machine("dev-b").files.get(KEYS)).toBe(before);
    expect(cluster().apiServers.size).toBe(3);
  });
});

describe("the rotation of the key", () => {
  it("leaves nothing of the old one, wherever it is killed, and all can be read all the time", async () => {
    await bring(declare(true));
    let old = "";
    for (let words = 0; ; words += 3) {
      writeSome();
      const killed = await runKilledAt(declare(true), rotation(declare(true), "encryption-key"), words);
      const key = keyOfAll();
      expect(key).not.toBe(old);
      old = key;
      if (!killed) break;
    }
  });

  it("is finished by whatever comes next where it has failed for good", async () => {
    await bring(declare(true));
    writeSome();
    const old = keyOfAll();
    const steps = stepsOf(rotation(declare(true), "encryption-key"));
    for (const [index] of steps.entries()) {
      await bench.runSteps(declare(true), steps.slice(0, index), runOf(`half-${index}`));
      expect(cluster().unreadable()).toEqual([]);
    }
    await bring(declare(true));
    expect(keyOfAll()).not.toBe(old);
  });

  it("does not go on while a control plane is away, or was left out of the plan", async () => {
    await bring(declare(true));
    writeSome();
    const key = keyOfAll();
    world.machine("dev-c").isCutOff = true;
    await expect(run(declare(true), rotation(declare(true), "encryption-key"))).rejects.toMatchObject({
      reason: "unreachable",
    });
    world.machine("dev-c").isCutOff = false;
    expect(cluster().unreadable()).toEqual([]);
    const withoutLast = rotation(declare(true, names.slice(0, 1)), "encryption-key");
    await expect(run(declare(true), withoutLast)).rejects.toMatchObject({
      code: "plan-stale",
      message: expect.stringMatching(/dev-c/),
    });
    for (const { writtenWith } of cluster().secrets.values()) expect(writtenWith).toBe(key);
  });

  it("is not settled while the database has something under another key", async () => {
    await bring(declare(true));
    writeSome();
    cluster().secrets.set("default/odd", { writtenWith: keyOfAll() });
    const steps = stepsOf(rotation(declare(true), "encryption-key"));
    const rewriting = steps.findIndex(({ name }) => name === "rewrite-ssh-secrets");
    await bench.runSteps(declare(true), steps.slice(0, rewriting), runOf("r1"));
    const { parts } = world;
    const stubborn = { ...parts, kubernetes: { ...parts.kubernetes, patch: async () => ({}) } };
    const step = makeSshProvider(stubborn).steps.find(({ name }) => name === "rewrite-ssh-secrets");
    const context = bench.contextOf(declare(true), steps[rewriting] as never, runOf("r1"));
    await expect(step?.run(context)).rejects.toMatchObject({
      code: "step-not-verified",
      message: expect.stringMatching(/3 Secrets/),
    });
  });

  it("brings no other version, even where one is declared that no upgrade has led to", async () => {
    await bring(declare(true));
    writeSome();
    const newer = declare(true);
    const spec = { ...newer.spec, kubernetes: { version: NEWER } };
    await run({ ...newer, spec }, rotation({ ...newer, spec }, "encryption-key"));
    keyOfAll();
    expect(world.machine("dev-a").files.get("/var/lib/drover/kubeadm.yaml")).toContain(`kubernetesVersion: ${OLDER}`);
  });

  it("is refused where there is nothing to rotate, with the next move", async () => {
    expect(() => rotation(declare(false), "encryption-key")).toThrow(/encryptSecrets to true/);
    const k3s = await FakeMachineWorld.open("k3s");
    onTestFinished(() => k3s.dispose());
    expect(() => k3s.provider.rotate?.(k3s.cluster("edge"), "tokens")).toThrow(/k3s token rotate/);
    expect(() => k3s.provider.rotate?.(k3s.cluster("edge"), "encryption-key")).toThrow(/secrets-encrypt rotate-keys/);
  });
});

describe("a backup of encrypted Secrets", () => {
  it("is read with the keys of its time, and ends under the key of now", async () => {
    await bring(declare(true));
    writeSome();
    await run(declare(true), upkeep(declare(true)).backUp(declare(true)), "b1");
    expect(ledger.backups[0]?.manifest.encryptedWith).toEqual([keyOfAll(), "identity"]);
    await run(declare(true), upkeep(declare(true)).drill(declare(true), "b1"));
    expect(ledger.backups[0]?.drill).toMatchObject({
      passed: true,
      message: expect.stringMatching(/2 encrypted Secrets/),
    });
    await run(declare(true), rotation(declare(true), "encryption-key"));
    const key = keyOfAll();
    cluster().secrets.clear();
    for (let words = 0; ; words += 5) {
      const killed = await runKilledAt(declare(true), upkeep(declare(true)).restore(declare(true), "b1"), words);
      expect([...cluster().secrets.keys()]).toEqual(["default/safe", "kube-system/other"]);
      expect(keyOfAll()).toBe(key);
      if (!killed) break;
    }
  });

  it("can be gone back to, and away from, also where Secrets are not encrypted now", async () => {
    await bring(declare(true));
    writeSome();
    await run(declare(true), upkeep(declare(true)).backUp(declare(true)), "b1");
    await bring(declare(false));
    await run(declare(false), upkeep(declare(false)).backUp(declare(false)), "b2");
    await run(declare(false), upkeep(declare(false)).restore(declare(false), "b1"));
    for (const { writtenWith } of cluster().secrets.values()) expect(writtenWith).toBe("identity");
    expect(world.machine("dev-a").files.has(KEYS)).toBe(false);
    await bring(declare(true));
    const key = keyOfAll();
    await run(declare(true), upkeep(declare(true)).restore(declare(true), "b2"));
    expect(keyOfAll()).toBe(key);
  });
});

it("tokens and what was shared for joins are gone after a rotation, and nothing else is", async () => {
  await bring(declare(false));
  const { secrets } = cluster();
  secrets.set("kube-system/bootstrap-token-abcdef", { writtenWith: "identity", isToken: true });
  secrets.set("kube-system/kubeadm-certs", { writtenWith: "identity" });
  secrets.set("default/safe", { writtenWith: "identity" });
  await run(declare(false), rotation(declare(false), "tokens"));
  expect([...secrets.keys()]).toEqual(["default/safe"]);
});
