import { existsSync } from "node:fs";
import { readFile, statfs } from "node:fs/promises";
import { inheritedEnvironment } from "../config/inherited-environment.ts";
import type { Options } from "../config/options.ts";
import { examineHost } from "../doctor/examine-host.ts";
import type { HostParts } from "../doctor/host-parts.ts";
import type { Finding } from "../domain/finding.ts";
import type { Connector } from "../ports/connector.ts";
import type { ReadStore } from "../ports/store/index.ts";
import { makeLocalConnector } from "./connect-to-host.ts";
import { makeDocker } from "./make-docker.ts";

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64" };

/** The machine that this process runs on. */
export function describeMachine(
  options: Options,
  parts: Pick<HostParts, "engine" | "isPortFree" | "programs" | "listWantedImages">,
): HostParts {
  return {
    ...parts,
    dockerHost: options.dockerHost,
    hostPorts: options.hostPorts,
    platform: {
      system: process.platform,
      architecture: ARCHITECTURES[process.arch] ?? process.arch,
      isRoot: process.getuid?.() === 0,
      hasApt: existsSync("/usr/bin/apt-get"),
    },
    readText: (path) => readFile(path, "utf8").catch(() => null),
    freeSpace: (folder) =>
      statfs(folder).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => null,
      ),
  };
}

/** For `drover doctor`, which knows of no cluster. */
export async function examineMachine(options: Options): Promise<readonly Finding[]> {
  const { searchPath, stepGrace: stepGraceMs, dockerHost } = options;
  const environment = inheritedEnvironment();
  const local = makeLocalConnector({ environment, searchPath, stepGraceMs });
  const programs: Pick<Connector, "run"> = { run: (...order) => local.run(...order) };
  const docker = makeDocker(dockerHost, environment);
  try {
    const machine = describeMachine(options, { ...docker, programs, listWantedImages: async () => [] });
    return await examineHost(machine, new AbortController().signal);
  } finally {
    await local.close();
  }
}

const MOST_CLUSTERS = 500;

/** What the clusters are made from that live on a host, or may come to. */
export async function listImagesOf(read: Pick<ReadStore, "listClusters">, host: string): Promise<readonly string[]> {
  const { items } = await read.listClusters({ providers: ["kind", "k3d"], limit: MOST_CLUSTERS });
  const here = items.filter((cluster) => cluster.host === null || cluster.host === host);
  return here.flatMap(({ spec }) => [spec.kind?.image, spec.k3d?.image].filter((image) => image !== undefined));
}
