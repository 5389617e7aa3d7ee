import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ClusterSpec, validateCluster } from "@drover/contract";
import { isPortFree } from "../../src/connectors/local/is-port-free.ts";
import { LocalConnector } from "../../src/connectors/local/local-connector.ts";
import type { ContainerEngine } from "../../src/ports/container-engine.ts";
import type { Provider, ProviderCluster } from "../../src/ports/provider.ts";
import { systemTimer } from "../../src/ports/timer.ts";
import { makeKindProvider } from "../../src/providers/kind/provider.ts";
import { clusterIdOf } from "../cluster-id-of.ts";
import type { FakeDocker } from "../fake-docker/daemon.ts";
import { FakeClusterApis } from "../fake-docker/fake-cluster-apis.ts";
import { startFakeDocker } from "../fake-docker/fake-engine-world.ts";

export const KIND_IMAGE = "example/kind-node:{version}";
export const IMAGES = ["example/kind-node:v1.34.4", "example/kind-node:v1.35.2", "example/app:1"];
const PROGRAM = fileURLToPath(new URL("./program.mjs", import.meta.url));

export interface FakeKindWorld {
  readonly provider: Provider;
  readonly daemon: FakeDocker;
  readonly apis: FakeClusterApis;
  readonly connector: LocalConnector;
  readonly engine: ContainerEngine;
  /** For everything that kind and Drover write. */
  readonly folder: string;
  /** The arguments of every run of kind. */
  calls(): readonly string[];
  dispose(): Promise<void>;
}

/** The kind provider on a fake Docker daemon, with a fake kind on the search path: real processes that do nothing real. */
export async function startFakeKind(faults: Readonly<Record<string, string>> = {}): Promise<FakeKindWorld> {
  const { daemon, engine, folder, dispose } = await startFakeDocker(IMAGES);
  const log = join(folder, "calls");
  const programs = installFakeKind(folder, log);
  const path = [programs, "/usr/local/bin", "/usr/bin", "/bin"].join(":");
  const connector = new LocalConnector({ environment: { PATH: path, ...faults }, graceMs: 1_000 });
  const apis = new FakeClusterApis(daemon, {
    cluster: "io.x-k8s.kind.cluster",
    role: "io.x-k8s.kind.role",
    controlPlane: "control-plane",
    worker: "worker",
  });
  const settings = { image: KIND_IMAGE, dockerHost: daemon.host, folder: join(folder, "kind") };
  const provider = makeKindProvider({ engine, kubernetes: apis, timer: systemTimer, isPortFree, settings });
  return {
    ...{ provider, daemon, apis, connector, engine, folder },
    calls: () =>
      readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .filter((line) => line !== ""),
    dispose: async () => {
      await connector.close();
      await dispose();
    },
  };
}

/** Writes down every run. Answers with the folder for the search path. */
export function installFakeKind(folder: string, log: string): string {
  const programs = join(folder, "bin");
  mkdirSync(programs);
  writeFileSync(log, "");
  const script = `#!/bin/sh\necho "$*" >> "${log}"\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;
  writeFileSync(join(programs, "kind"), script);
  chmodSync(join(programs, "kind"), 0o755);
  return programs;
}

/** What a document with these settings comes to once every default is filled in. */
export function kindSpec(kind: object = {}, rest: object = {}): ClusterSpec {
  const spec = { provider: "kind", kubernetes: { version: "v1.34.4" }, kind, ...rest };
  const document = { apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name: "dev" }, spec };
  const checked = validateCluster(document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.cluster.spec;
}

export function kindCluster(name: string, spec: ClusterSpec = kindSpec()): ProviderCluster {
  return { id: clusterIdOf(name), name, generation: 1, spec };
}
