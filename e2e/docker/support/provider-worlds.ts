import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClusterSpec, validateCluster } from "@drover/contract";
import { KubernetesClient } from "../../../drover/src/connectors/kubernetes/kubernetes-client.ts";
import { LocalConnector } from "../../../drover/src/connectors/local/local-connector.ts";
import type { ContainerParts } from "../../../drover/src/containers/container-parts.ts";
import { makeDocker } from "../../../drover/src/main/make-docker.ts";
import { systemClock } from "../../../drover/src/ports/clock.ts";
import type { ProviderWorld } from "../../../drover/src/ports/provider.conformance.ts";
import type { Provider } from "../../../drover/src/ports/provider.ts";
import { systemTimer } from "../../../drover/src/ports/timer.ts";
import { imageOf as k3dImageOf } from "../../../drover/src/providers/k3d/declared.ts";
import { makeK3dProvider } from "../../../drover/src/providers/k3d/provider.ts";
import { imageOf as kindImageOf } from "../../../drover/src/providers/kind/declared.ts";
import { makeKindProvider } from "../../../drover/src/providers/kind/provider.ts";
import { NEWER, OLDER, RUN, run, sweepUp, thingsOf } from "./docker-place.ts";
import { watchEngine } from "./watched-engine.ts";

const DOCKER_HOST = process.env.DOCKER_HOST || "unix:///var/run/docker.sock";
const STEP_GRACE_MS = 10_000;

/** Apart from what another Drover on this machine gives to its clusters: whether it is free is asked before it is used. */
const POOLS = { ports: { from: 18_000, to: 18_999 }, subnets: { pool: "10.209.0.0/16", prefix: 24 } };

interface Tool {
  readonly id: "kind" | "k3d";
  /** The image of the nodes. */
  image(spec: ClusterSpec): string | undefined;
  /** By variant: how many nodes of the lesser role there are. */
  counts(workers: number): object;
  make(parts: ContainerParts, folder: string): Provider;
  /** What a cluster that somebody else made leaves on the host. */
  plant(name: string, image: string): void;
}

const KIND_IMAGE = process.env.DROVER_KIND_IMAGE ?? "kindest/node:{version}";
const K3D_IMAGE = process.env.DROVER_K3D_IMAGE ?? "rancher/k3s:{version}";

export const KIND: Tool = {
  id: "kind",
  image: (spec) => kindImageOf(spec, KIND_IMAGE),
  counts: (workers) => ({ controlPlanes: 1, workers }),
  make: (parts, folder) =>
    makeKindProvider({ ...parts, settings: { image: KIND_IMAGE, dockerHost: DOCKER_HOST, folder } }),
  plant: (name, image) => {
    const labels = ["--label", `io.x-k8s.kind.cluster=${name}`, "--label", "io.x-k8s.kind.role=control-plane"];
    run("docker", "create", "--name", `${name}-control-plane`, ...labels, image);
  },
};

export const K3D: Tool = {
  id: "k3d",
  image: (spec) => k3dImageOf(spec, K3D_IMAGE),
  counts: (agents) => ({ servers: 1, agents }),
  make: (parts) => {
    const registryImage = process.env.DROVER_K3D_REGISTRY_IMAGE ?? null;
    const settings = { image: K3D_IMAGE, registryImage, dockerHost: DOCKER_HOST, patienceMs: 180_000 };
    return makeK3dProvider({ ...parts, settings });
  },
  plant: (name, image) => {
    const labels = ["--label", "app=k3d", "--label", `k3d.cluster=${name}`, "--label", "k3d.role=server"];
    run("docker", "network", "create", "--label", "app=k3d", `k3d-${name}`);
    run("docker", "create", "--name", `k3d-${name}-server-0`, "--network", `k3d-${name}`, ...labels, image);
  },
};

/** As a worker hands them on to the tools. */
function handOn(): Readonly<Record<string, string>> {
  const isFor = ([name, value]: [string, string | undefined]) =>
    value !== undefined && /^(PATH$|DOCKER_|K3D_)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(isFor)) as Record<string, string>;
}

let worlds = 0;

/** The provider on the host's Docker with the real tool. All names of a world begin alike, and what is left of it is removed at its end. */
export async function makeRealWorld(tool: Tool): Promise<ProviderWorld> {
  worlds += 1;
  const prefix = `${RUN}-${worlds}`;
  const folder = mkdtempSync(join(tmpdir(), "drover-e2e-provider-"));
  const { isPortFree, engine: docker } = makeDocker(DOCKER_HOST, process.env);
  const engine = watchEngine(docker, prefix);
  const connector = new LocalConnector({ environment: { ...handOn(), HOME: folder }, graceMs: STEP_GRACE_MS });
  const programs = { run: connector.run.bind(connector) };
  const kubernetes = new KubernetesClient({ clock: systemClock, timer: systemTimer, programs });
  const provider = tool.make({ engine: engine.engine, isPortFree, kubernetes, timer: systemTimer }, folder);
  const nameOf = (name: string) => `${prefix}-${name}`;
  return {
    // Whatever else is on this host is nobody's concern here.
    provider: {
      ...provider,
      list: async (signal) => (await provider.list(signal)).filter(({ name }) => name.startsWith(prefix)),
    },
    cluster: (name, variant) => ({
      ...{ id: `id-of-${nameOf(name)}`, name: nameOf(name), generation: 1 },
      spec: specOf(tool, variant === "newer" ? NEWER : OLDER, variant === "more" ? 1 : 0),
    }),
    inventory: async () => [...thingsOf(prefix)].sort().concat(await engine.volumesLeft()),
    connect: async () => connector,
    pools: POOLS,
    refusesForeignName: true,
    plantForeign: async (name) => tool.plant(nameOf(name), tool.image(specOf(tool, OLDER, 0)) ?? ""),
    blind: async () => engine.blind(),
    dispose: async () => {
      await kubernetes.close();
      await connector.close();
      sweepUp();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function specOf(tool: Tool, version: string, workers: number): ClusterSpec {
  const spec = { provider: tool.id, kubernetes: { version }, [tool.id]: tool.counts(workers) };
  const metadata = { name: "any" };
  const checked = validateCluster({ apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata, spec });
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.cluster.spec;
}
