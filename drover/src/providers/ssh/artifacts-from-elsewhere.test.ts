import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { validateCluster } from "@drover/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { ArtifactServer } from "../../../test/artifact-server/artifact-server.ts";
import { FakeMachineWorld } from "../../../test/fake-machines/world.ts";
import { BenchLedger, type BenchRun, StepBench } from "../../../test/step-bench.ts";
import { planSteps } from "../../domain/pipeline.ts";
import { systemClock } from "../../ports/clock.ts";
import type { ProviderCluster } from "../../ports/provider.ts";
import { systemTimer } from "../../ports/timer.ts";
import { validateArtifacts } from "./validate-artifacts.ts";

const { signal } = new AbortController();
const RUN: BenchRun = { jobId: "job-1", kind: "create", token: 1 };

async function open(distribution: "kubeadm" | "k3s") {
  const world = await FakeMachineWorld.open(distribution);
  const server = await ArtifactServer.open(world.artifacts);
  onTestFinished(async () => {
    await server.close();
    await world.dispose();
  });
  world.ledger = new BenchLedger(systemClock);
  const registry = new Map(world.provider.steps.map((step) => [step.name, step]));
  const bench = new StepBench(registry, world.ledger, systemTimer, async (host) => world.machine(host));
  const run = async (cluster: ProviderCluster, kind: "create" | "repair" = "create", more: Partial<BenchRun> = {}) => {
    const [observed] = await world.provider.observe([cluster], { signal, thorough: true });
    if (observed === undefined) throw new Error("nothing was seen");
    const steps = planSteps({ name: kind, modules: world.provider.plan(cluster, { kind, observed }) });
    return await bench.runSteps(cluster, steps, { ...RUN, ...more });
  };
  const look = async (cluster: ProviderCluster) =>
    (await world.provider.observe([cluster], { signal, thorough: true }))[0];
  return { world, server, run, look };
}

const mirror = (server: ArtifactServer, more: object = {}) => ({
  artifacts: { source: "mirror", location: `${server.url}/`, offline: true, ...more },
});

/** The tree of a world as one object. */
async function pack({ artifacts }: FakeMachineWorld, server: ArtifactServer): Promise<object> {
  const archive = execFileSync("tar", ["-C", artifacts, "--exclude=.fetched", "-czf", "-", "."], {
    maxBuffer: 1 << 26,
  });
  server.files.set("tree.tgz", archive);
  const sums = execFileSync("sha256sum", ["-"], { input: archive });
  server.files.set("tree.tgz.sha256", sums);
  return { artifacts: { source: "url", location: `${server.url}/tree.tgz`, offline: true } };
}

describe.each(["kubeadm", "k3s"] as const)("with %s", (distribution) => {
  it("a cluster is made from a mirror, and each file is fetched once", async () => {
    const { world, server, run, look } = await open(distribution);
    const cluster = world.cluster("dev", { ssh: mirror(server), workers: 2 });
    await run(cluster);
    expect(await look(cluster)).toMatchObject({ complete: true, drift: [] });
    const fetched = server.asked.map(({ path }) => path).filter((path) => !/sha256sum/i.test(path));
    expect(new Set(fetched).size).toBe(fetched.length);
    // Nothing of the other version, and nothing that machines have.
    expect(fetched.filter((path) => /v1\.34|debs/.test(path))).toEqual([]);
  });

  it("what is there is not fetched again by a later job, which only reads the list", async () => {
    const { world, server, run } = await open(distribution);
    const cluster = world.cluster("dev", { ssh: mirror(server) });
    await run(cluster);
    server.asked.length = 0;
    const outcomes = await run(cluster, "repair", { jobId: "job-2", token: 2 });
    expect(outcomes.find(({ name }) => name === "check-ssh-artifacts")?.state).toBe("Skipped");
    expect(server.asked.filter(({ path }) => !/sha256sum/i.test(path))).toEqual([]);
  });

  it("a cluster is made from an archive at an address", async () => {
    const { world, server, run, look } = await open(distribution);
    const cluster = world.cluster("dev", { ssh: await pack(world, server) });
    await run(cluster);
    expect(await look(cluster)).toMatchObject({ complete: true, drift: [] });
    expect(server.asked.map(({ path }) => path)).toEqual(["tree.tgz.sha256", "tree.tgz"]);
  });

  it("nothing is done to machines when a file of the mirror is not what its checksum says, or is gone", async () => {
    const { world, server, run } = await open(distribution);
    const cluster = world.cluster("dev", { ssh: mirror(server) });
    const path = distribution === "k3s" ? "v1.33.13-k3s1/k3s" : "v1.33.13/bin/kubelet";
    await writeFile(join(world.artifacts, path), "something else");
    await expect(run(cluster)).rejects.toMatchObject({ code: "checksum-mismatch", details: { paths: [path] } });
    await rm(join(world.artifacts, path));
    await expect(run(cluster)).rejects.toMatchObject({ code: "artifact-missing" });
    expect(world.inventory()).toEqual([]);
  });
});

describe("offline", () => {
  const IMAGE = "registry.example.com/app:1";
  it.each(["directory", "mirror", "url"])(
    "an image that is missing is told before anything starts: %s",
    async (kind) => {
      const { world, server, run } = await open("kubeadm");
      const places: Record<string, object> = { mirror: mirror(server), url: await pack(world, server), directory: {} };
      const cluster = world.cluster("dev", { ssh: { preloadImages: [IMAGE], ...places[kind] } });
      await expect(run(cluster)).rejects.toMatchObject({
        ...{ code: "artifact-missing", details: { path: "images/registry.example.com_app_1.tar" } },
      });
      expect(world.inventory()).toEqual([]);
    },
  );

  it("packages of the endpoint that are missing are told before anything starts", async () => {
    const { world, run } = await open("kubeadm");
    const sums = join(world.artifacts, "SHA256SUMS");
    await writeFile(sums, (await readFile(sums, "utf8")).replace(/.*debs\/keepalived.*\n/g, ""));
    const endpoint = { type: "haproxy", virtualIp: "198.18.9.100", port: 8443 };
    await expect(run(world.cluster("dev", { ssh: { endpoint } }))).rejects.toMatchObject({
      ...{ code: "artifact-missing", details: { path: "debs/keepalived" } },
    });
    expect(world.inventory()).toEqual([]);
  });

  it("machines that may reach others pull the image themselves", async () => {
    const { world, run } = await open("kubeadm");
    const artifacts = { source: "directory", location: world.artifacts, offline: false };
    await run(world.cluster("dev", { ssh: { preloadImages: [IMAGE], artifacts } })).catch(() => null);
    expect(world.machine("dev-0").ran.some((argv) => argv.includes("pull") && argv.includes(IMAGE))).toBe(true);
  });
});

describe("who asks", () => {
  it("is read from the secret that the spec names", async () => {
    const { world, server, run } = await open("kubeadm");
    const cluster = world.cluster("dev", { ssh: mirror(server, { credential: { name: "mirror" } }) });
    await expect(run(cluster)).rejects.toMatchObject({
      code: "secret-not-found",
      message: expect.stringMatching(/mirror/),
    });
  });
});

describe("a spec", () => {
  const given = (artifacts: object) => {
    const validation = validateCluster({
      ...{ apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name: "dev" } },
      spec: {
        ...{ provider: "ssh", kubernetes: { version: "v1.34.4" } },
        ssh: {
          ...{
            distribution: "kubeadm",
            schedulableControlPlane: true,
            access: { credential: { name: "machines" } },
            artifacts,
          },
          nodes: [{ name: "a", address: "198.18.9.1", roles: ["controlplane", "etcd"] }],
        },
      },
    });
    if (!validation.ok) throw new Error(JSON.stringify(validation.problems));
    return validateArtifacts(validation.cluster.spec.ssh?.artifacts).map(({ path }) => path);
  };
  const location = "spec.ssh.artifacts.location";
  it.each([
    [{ source: "mirror", location: "https://mirror.example.com/k8s" }, []],
    [{ source: "url", location: "https://store.example.com/b/tree.tar.gz?signature=x" }, []],
    [{ source: "url", location: "https://store.example.com/b/tree.tar.zst" }, [location]],
    [{ source: "url", location: "https://store.example.com/b/" }, [location]],
    [{ source: "mirror", location: "https://ann:secret@mirror.example.com/" }, [location]],
    [{ source: "mirror", location: "https://" }, [location]],
    [{ source: "directory", location: "/srv", credential: { name: "x" } }, ["spec.ssh.artifacts.credential"]],
  ])("%j is refused at %j", (artifacts, paths) => {
    expect(given(artifacts)).toEqual(paths);
  });
});
