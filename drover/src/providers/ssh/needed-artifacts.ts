import { runAll } from "../../ports/run-all.ts";
import type { StepContext } from "../../ports/step.ts";
import { type Artifact, type Artifacts, openArtifacts } from "./artifacts.ts";
import { kubeVipImageOf, materialsFor, purposeOf } from "./bill-of-materials.ts";
import { addressAmongNodes, type DeclaredNode, isControlPlane, isK3s, sshPart } from "./declared.ts";
import { ENDPOINT_PROGRAMS, type EndpointProgram, hasOwnEndpoint } from "./endpoint.ts";
import type { SshHost } from "./host.ts";
import { openK3sRelease } from "./k3s/k3s-release.ts";
import { usesKubeVip } from "./kube-vip.ts";
import { unpinnedAmong } from "./pin-machine.ts";
import { argvOf } from "./scripts/script.ts";
import { FIND_ENDPOINT } from "./scripts/unpack-endpoint.ts";
import { networkManifest } from "./steps/apply-ssh-network.ts";
import { runtimeFiles } from "./steps/install-ssh-containerd.ts";
import { versionOfStep } from "./steps/on-machine.ts";
import { archivesFor } from "./steps/preload-ssh-images.ts";
import { packagesOf } from "./steps/prepare-ssh-endpoint.ts";

export interface Needed {
  readonly artifacts: Artifacts;
  /** Each once. */
  readonly files: readonly Artifact[];
}

/** Everything that may be sent to the machines of a cluster. Throws `artifact-missing` for what is not there. */
export async function neededArtifacts(host: SshHost, context: StepContext): Promise<Needed> {
  const machines = await askMachines(host, context);
  const { artifacts, files } = isK3s(context.cluster.spec)
    ? await neededByK3s(host, context, machines)
    : await neededByKubeadm(host, context, machines);
  return { artifacts, files: [...new Map(files.map((file) => [file.path, file])).values()] };
}

async function neededByK3s(host: SshHost, context: StepContext, machines: readonly Told[]): Promise<Needed> {
  const release = await openK3sRelease(host, context, versionOfStep(context));
  const { artifacts } = release;
  const { spec } = context.cluster;
  const materials = machines.map(({ processor }) => release.materialsFor(processor));
  return {
    artifacts,
    files: [
      ...(machines.length === 0 ? release.all() : materials.flatMap(({ program, images }) => [program, images])),
      ...(spec.networking?.cni.type === "manifest" ? [networkManifest(artifacts, spec)] : []),
      ...archivesFor(artifacts, spec, sshPart(spec).preloadImages ?? []).flatMap(({ artifact }) => artifact ?? []),
    ],
  };
}

async function neededByKubeadm(host: SshHost, context: StepContext, machines: readonly Told[]): Promise<Needed> {
  const artifacts = await openArtifacts(host, context);
  const { spec } = context.cluster;
  const { nodes, preloadImages = [], containerd } = sshPart(spec);
  const version = versionOfStep(context);
  if (usesKubeVip(spec)) await kubeVipImageOf(artifacts, version);
  const materials = nodes.map((node) => materialsFor(artifacts, version, purposeOf(spec, node)));
  const runtimes = machines
    .filter(({ hasRuntime }) => containerd.install && !hasRuntime)
    .map(({ node, processor }) => runtimeFiles(artifacts, spec, { node: node.name, processor }));
  const packages = machines
    .filter(({ node }) => hasOwnEndpoint(spec) && isControlPlane(node))
    .flatMap(({ lacks }) => lacks.flatMap((program) => packagesOf(artifacts, program).packages));
  return {
    artifacts,
    files: [
      artifacts.require(`${version}/images.list`),
      ...materials.flatMap(({ programs, images }) => [...programs.map(({ artifact }) => artifact), ...images]),
      ...(spec.networking?.cni.type === "none" ? [] : [networkManifest(artifacts, spec)]),
      ...archivesFor(artifacts, spec, preloadImages).flatMap(({ artifact }) => artifact ?? []),
      ...runtimes.flatMap(({ archive, runc }) => [archive, runc]),
      ...packages,
    ],
  };
}

/** What decides which files a machine needs. */
interface Told {
  readonly node: DeclaredNode;
  /** As the kernel calls it. */
  readonly processor: string;
  readonly hasRuntime: boolean;
  readonly lacks: readonly EndpointProgram[];
}

/** Those that answer: what the others need is fetched when they are there to tell. */
async function askMachines(host: SshHost, context: StepContext): Promise<readonly Told[]> {
  const { nodes } = sshPart(context.cluster.spec);
  const unpinned = new Set(
    await unpinnedAmong(
      context,
      nodes.map(({ name }) => name),
    ),
  );
  const told = await Promise.all(
    nodes.map(async (node) => (unpinned.has(node.name) ? [] : await askMachine(host, context, node))),
  );
  return told.flat();
}

async function askMachine(
  host: SshHost,
  { cluster, signal }: StepContext,
  node: DeclaredNode,
): Promise<readonly Told[]> {
  try {
    const machine = await host.parts.machines.connect(cluster, node.name);
    const [processor, runtime, found] = await runAll(
      machine,
      [
        { argv: ["uname", "-m"] },
        { argv: ["containerd", "--version"] },
        { argv: argvOf(FIND_ENDPOINT, addressAmongNodes(node), "") },
      ],
      { signal, deadlineMs: ASKING_MS },
    );
    if (processor?.exitCode !== 0) return [];
    const lacks = ENDPOINT_PROGRAMS.filter(
      (program) => !found?.stdout.split("\n").some((line) => line.startsWith(`${program} `)),
    );
    return [{ node, processor: processor.stdout.trim(), hasRuntime: runtime?.exitCode === 0, lacks }];
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

const ASKING_MS = 20_000;
