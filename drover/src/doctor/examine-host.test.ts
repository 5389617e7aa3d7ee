import { describe, expect, it } from "vitest";
import type { Finding } from "../domain/finding.ts";
import { CommandError } from "../lib/command-error.ts";
import type { Connector } from "../ports/connector.ts";
import { type ContainerEngine, EngineError, type EngineInfo } from "../ports/container-engine.ts";
import { examineHost } from "./examine-host.ts";
import type { HostParts } from "./host-parts.ts";

const GIB = 1_073_741_824;
const info: EngineInfo = {
  ...{ version: "29.1.0", apiVersion: "1.52", operatingSystem: "Debian 13", kernel: "6.12", cgroupVersion: 2 },
  ...{ cpus: 2, memoryBytes: 8 * GIB, dataRoot: "/var/lib/docker" },
};
const PRINTED: Readonly<Record<string, string>> = {
  curl: "curl 8.14.1\n",
  docker: "Docker version 29.1.0, build x\n",
  kind: "kind v0.32.0 go1.25.4 linux/amd64\n",
  k3d: "k3d version v5.9.0\nk3s version v1.35.1-k3s1 (default)\n",
  kubectl: "Client Version: v1.36.1\nKustomize Version: v5.8.0\n",
};

/** Programs of a machine; those that are not named are not there. */
function programsOf(printed: Readonly<Record<string, string>>): Pick<Connector, "run"> {
  return {
    run: async ({ argv }) => {
      const stdout = printed[argv[0]];
      const host = "local";
      if (stdout === undefined) throw new CommandError({ reason: "not-found", host, argv });
      return { exitCode: 0, signal: null, stdout, stderr: "", dropped: { stdout: 0, stderr: 0 } };
    },
  };
}

const docker = (change: Partial<EngineInfo> | Error, images: readonly string[] = []): ContainerEngine =>
  ({
    describe: async () => {
      if (change instanceof Error) throw change;
      return { ...info, ...change };
    },
    listImages: async () => images,
  }) as unknown as ContainerEngine;

const well: HostParts = {
  engine: docker({}),
  dockerHost: "unix:///var/run/docker.sock",
  programs: programsOf(PRINTED),
  isPortFree: async () => true,
  readText: async (path) => (path.endsWith("watches") ? "524288\n" : "512\n"),
  freeSpace: async () => 50 * GIB,
  platform: { system: "linux", architecture: "amd64", isRoot: false, hasApt: true },
  hostPorts: { from: 20_000, to: 29_999 },
  listWantedImages: async () => [],
};

const examine = async (change: Partial<HostParts> = {}) =>
  await examineHost({ ...well, ...change }, new AbortController().signal);
const find = (findings: readonly Finding[], check: string) => findings.find((one) => one.check === check);

describe("a machine that has everything", () => {
  it("is told with its versions, and nothing is to be done", async () => {
    const findings = await examine();
    expect(findings.filter(({ result, next }) => result !== "ok" || next !== "")).toEqual([]);
    const told = Object.fromEntries(findings.map(({ check, detail }) => [check, detail]));
    expect(told).toMatchObject({ kind: "v0.32.0", k3d: "v5.9.0", kubectl: "v1.36.1", "Control groups": "version 2" });
    expect(told["Docker"]).toBe("29.1.0 (API 1.52) on Debian 13");
  });
});

/** As the connection to Docker fails. */
const failing = (code: string): ContainerEngine =>
  docker(new EngineError("unreachable", "Docker is away.", { cause: Object.assign(new Error(code), { code }) }));
const curlAndKind = programsOf({ curl: PRINTED["curl"] ?? "", kind: PRINTED["kind"] ?? "" });

describe("a machine without Docker", () => {
  it("is told how to get it, and everything else is told all the same", async () => {
    const findings = await examine({ engine: failing("ENOENT"), programs: curlAndKind });
    expect(find(findings, "Docker")).toMatchObject({
      result: "warning",
      detail:
        "It is not installed: there is neither unix:///var/run/docker.sock nor the command docker. Clusters of kind and k3d need it.",
      next: "sudo apt-get update && sudo apt-get install -y docker.io",
    });
    expect(find(findings, "kind")?.result).toBe("ok");
    expect(find(findings, "Images")).toBeUndefined();
    expect(find(findings, "docker command")).toBeUndefined();
  });

  it("is told so in the way of its system", async () => {
    const nextOn = async (platform: Partial<HostParts["platform"]>) => {
      const machine = { engine: failing("ENOENT"), programs: curlAndKind, platform: { ...well.platform, ...platform } };
      return find(await examine(machine), "Docker")?.next;
    };
    expect(await nextOn({ isRoot: true })).toBe("apt-get update && apt-get install -y docker.io");
    expect(await nextOn({ hasApt: false })).toBe("curl -fsSL https://get.docker.com | sudo sh");
    expect(await nextOn({ hasApt: false, isRoot: true })).toBe("curl -fsSL https://get.docker.com | sh");
    expect(await nextOn({ system: "darwin", hasApt: false })).toContain("brew install --cask docker");
  });

  it("is told to start one that is there, or to be let in", async () => {
    for (const code of ["ENOENT", "ECONNREFUSED"]) {
      expect(find(await examine({ engine: failing(code) }), "Docker")).toMatchObject({
        detail: expect.stringContaining("It does not run"),
        next: "sudo systemctl start docker",
      });
    }
    expect(find(await examine({ engine: failing("EACCES") }), "Docker")).toMatchObject({
      detail: expect.stringContaining("not in the group docker"),
      next: expect.stringContaining("usermod -aG docker"),
    });
    const far = await examine({ engine: failing("ECONNREFUSED"), dockerHost: "tcp://10.0.0.7:2376" });
    expect(find(far, "Docker")?.next).toContain("tcp://10.0.0.7:2376");
  });
});

describe("a machine that lacks something", () => {
  it("is told the command that gets each tool, for its system", async () => {
    const platform = { system: "darwin", architecture: "arm64", isRoot: false, hasApt: false };
    const findings = await examine({ programs: programsOf({}), platform });
    for (const name of ["kind", "k3d", "kubectl"]) {
      const { result, detail, next } = find(findings, name) ?? {};
      expect([result, detail]).toEqual(["warning", expect.stringContaining("It is not installed.")]);
      expect(next).toMatch(
        new RegExp(
          `^sudo curl -fsSL --create-dirs -o /usr/local/bin/${name} https://\\S+darwin.arm64\\S* && sudo chmod`,
        ),
      );
    }
  });

  it("is told to get curl first where there is none, and nothing of sudo as root", async () => {
    const platform = { ...well.platform, isRoot: true };
    const { next = "" } = find(await examine({ programs: programsOf({}), platform }), "kind") ?? {};
    expect(next).toMatch(/^apt-get update && apt-get install -y curl && curl .* && chmod \+x \/usr\/local\/bin\/kind$/);
    const { curl: _, ...withoutCurl } = PRINTED;
    expect(find(await examine({ programs: programsOf(withoutCurl), platform }), "kind")?.result).toBe("ok");
  });

  it("is told of the command docker, which kind calls, where only the engine is there", async () => {
    const findings = await examine({ programs: curlAndKind });
    expect(find(findings, "docker command")).toMatchObject({
      result: "warning",
      next: expect.stringContaining("docker.io"),
    });
    expect(find(await examine(), "docker command")).toBeUndefined();
  });

  it("is told which limits of the kernel are low, and only those", async () => {
    const findings = await examine({ readText: async (path) => (path.endsWith("watches") ? "524288" : "128") });
    const { result, next } = find(findings, "File watches") ?? {};
    expect(result).toBe("warning");
    expect(next).toContain("fs.inotify.max_user_instances=512");
    expect(next).not.toContain("max_user_watches");
    expect(find(findings, "File watches")?.detail).toContain("max_user_instances is 128 instead of 512");
    expect(find(await examine({ readText: async () => null }), "File watches")).toBeUndefined();
  });

  it("is told of old control groups, little room and taken ports", async () => {
    const findings = await examine({
      engine: docker({ cgroupVersion: 1, memoryBytes: GIB }),
      freeSpace: async () => GIB,
      isPortFree: async (_address, port) => port % 3 === 0,
    });
    for (const check of ["Control groups", "Docker memory", "Docker disk", "Ports"]) {
      expect(find(findings, check), check).toMatchObject({ result: "warning", next: expect.stringMatching(/\S/) });
    }
  });

  it("is told which images declared clusters will have to wait for", async () => {
    const wanted = async () => ["kindest/node:v1.36.1@sha256:abc", "rancher/k3s:v1.35.1-k3s1"];
    const engine = docker({}, ["kindest/node:v1.36.1"]);
    expect(find(await examine({ engine, listWantedImages: wanted }), "Images")).toMatchObject({
      result: "warning",
      next: "docker pull rancher/k3s:v1.35.1-k3s1",
    });
    const broken = await examine({ listWantedImages: () => Promise.reject(new Error("The store is away.")) });
    expect(find(broken, "Images")?.detail).toContain("The store is away.");
    expect(find(broken, "kind")?.result).toBe("ok");
  });
});
