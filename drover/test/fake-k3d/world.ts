import { type ClusterSpec, validateCluster } from "@drover/contract";
import { DockerEngine } from "../../src/connectors/docker/docker-engine.ts";
import { isPortFree } from "../../src/connectors/local/is-port-free.ts";
import { systemClock } from "../../src/ports/clock.ts";
import type { Provider, ProviderCluster } from "../../src/ports/provider.ts";
import { systemTimer, type Timer } from "../../src/ports/timer.ts";
import type { K3dSettings } from "../../src/providers/k3d/host.ts";
import { makeK3dProvider } from "../../src/providers/k3d/provider.ts";
import { registerSteps } from "../../src/steps/index.ts";
import { clusterIdOf } from "../cluster-id-of.ts";
import type { FakeDocker } from "../fake-docker/daemon.ts";
import { FakeClusterApis } from "../fake-docker/fake-cluster-apis.ts";
import { startFakeDocker } from "../fake-docker/fake-engine-world.ts";
import { BenchLedger, StepBench } from "../step-bench.ts";
import { type FakeConnectorOptions, makeFakeConnector } from "./connector.ts";

export const SETTINGS: K3dSettings = {
  image: "example/k3s:{version}",
  dockerHost: "unix:///as-the-test-has-it",
  registryImage: "example/registry:2",
  patienceMs: 1_000,
};

const LABELS = { cluster: "k3d.cluster", role: "k3d.role", controlPlane: "server", worker: "agent" };

const IMAGES = [
  "example/k3s:v1.34.4-k3s1",
  "example/k3s:v1.33.13-k3s1",
  "example/k3d-proxy:1",
  "example/k3d-tools:1",
  "example/registry:2",
  "example/web:1",
];

/** A valid spec of a k3d cluster. */
export function k3dSpec(k3d: Record<string, unknown> = {}, rest: Record<string, unknown> = {}): ClusterSpec {
  const validation = validateCluster({
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name: "any" },
    spec: { provider: "k3d", k3d, kubernetes: { version: "v1.34.4" }, ...rest },
  });
  if (!validation.ok) throw new Error(`no valid spec: ${JSON.stringify(validation.problems)}`);
  return validation.cluster.spec;
}

export function k3dCluster(name: string, spec: ClusterSpec = k3dSpec()): ProviderCluster {
  return { id: clusterIdOf(name), name, generation: 1, spec };
}

export interface FakeK3dWorld {
  readonly daemon: FakeDocker;
  readonly apis: FakeClusterApis;
  readonly provider: Provider;
  readonly engine: DockerEngine;
  readonly bench: StepBench;
  /** Everything that k3d was told to do. */
  readonly runs: { readonly argv: readonly string[]; readonly stdin: string }[];
  readonly connector: ReturnType<typeof makeFakeConnector>;
  /** Called for each line that k3d writes; throws to kill it there. */
  onLine: (line: string) => void;
  dispose(): Promise<void>;
}

/** Nothing in this world needs the time that real things are given. */
const HASTY: Timer = { after: (ms, callback) => systemTimer.after(Math.min(ms, 5), callback) };

/** The k3d provider on a fake Docker daemon, with a fake k3d. */
export async function startFakeK3d(options: Pick<FakeConnectorOptions, "isInstalled"> = {}): Promise<FakeK3dWorld> {
  const { daemon, dispose } = await startFakeDocker(IMAGES);
  const engine = new DockerEngine({ host: daemon.host, certificates: null });
  const apis = new FakeClusterApis(daemon, LABELS);
  const provider = makeK3dProvider({ engine, kubernetes: apis, timer: HASTY, settings: SETTINGS, isPortFree });
  const providers = new Map([["k3d", provider]]);
  const registry = registerSteps({ providers, clock: systemClock, timer: systemTimer });
  const runs: { argv: readonly string[]; stdin: string }[] = [];
  const world: { onLine: (line: string) => void } = { onLine: () => {} };
  const connector = makeFakeConnector({
    ...options,
    socket: daemon.socket,
    onRun: (argv, stdin) => runs.push({ argv, stdin }),
    onLine: (line) => world.onLine(line),
  });
  const bench = new StepBench(registry, new BenchLedger(systemClock), systemTimer, async () => connector);
  return Object.assign(world, {
    ...{ daemon, apis, provider, engine, bench, runs, connector },
    dispose: async () => {
      engine.close();
      await dispose();
    },
  });
}
