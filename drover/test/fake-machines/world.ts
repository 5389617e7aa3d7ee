import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type ClusterSpec, validateCluster } from "@drover/contract";
import { makeArtifactDepot } from "../../src/connectors/artifacts/artifact-depot.ts";
import { readMachine } from "../../src/machines/machine-ref.ts";
import { systemClock } from "../../src/ports/clock.ts";
import type { MachineOwner, Machines } from "../../src/ports/machines.ts";
import type { Provider, ProviderCluster } from "../../src/ports/provider.ts";
import { systemTimer, type Timer } from "../../src/ports/timer.ts";
import type { SshParts } from "../../src/providers/ssh/host.ts";
import { makeSshProvider } from "../../src/providers/ssh/provider.ts";
import type { BenchLedger } from "../step-bench.ts";
import { writeFakeArtifacts } from "./fake-artifacts.ts";
import { FakeClusters } from "./fake-clusters.ts";
import { k3sOn } from "./fake-k3s.ts";
import { addressOf, fakeKubernetesApi, kubeadmOn } from "./fake-kubeadm.ts";
import { FakeMachine, type Program } from "./fake-machine.ts";
import { LINUX, SCRIPTS } from "./fake-programs.ts";
import { FakeDatabase, separateEtcdOn } from "./fake-separate-etcd.ts";
import { MemoryArchive } from "./memory-archive.ts";

export const [OLDER, NEWER] = ["v1.33.13", "v1.34.4"] as const;
const FINGERPRINT = `SHA256:${"a".repeat(43)}`;

/** Nothing here takes time, so nobody has to be waited for. */
const QUICK_TIMER: Timer = { after: (ms, callback) => systemTimer.after(Math.min(ms, 5), callback) };

/** Machines that are there as soon as they are named, and a provider that works on them. */
export class FakeMachineWorld {
  readonly clusters = new FakeClusters();
  readonly database = new FakeDatabase();
  readonly machines = new Map<string, FakeMachine>();
  readonly provider: Provider;
  /** What the provider is made of. */
  readonly parts: SshParts;
  readonly artifacts: string;
  /** Other names, or places, that lead to a machine. */
  readonly aliases = new Map<string, string>();
  ledger: BenchLedger | null = null;
  isBlind = false;

  readonly archive: MemoryArchive;
  readonly #programs: Readonly<Record<string, Program>>;
  readonly #distribution: string;

  private constructor(artifacts: string, archive: MemoryArchive, distribution: string) {
    this.artifacts = artifacts;
    this.archive = archive;
    this.#distribution = distribution;
    const kubeadm = kubeadmOn(this.clusters);
    this.#programs = {
      ...{ ...LINUX, ...SCRIPTS, ...kubeadm },
      ...separateEtcdOn(this.database, this.clusters, kubeadm),
      ...k3sOn(this.clusters),
    };
    const machines: Machines = {
      connect: async (owner, name) => {
        if (!this.#isPinned(owner, name)) throw new Error(`Nobody has pinned a host key of ${name}.`);
        return this.machine(name);
      },
      findPin: async () => null,
      fetchFingerprint: async () => FINGERPRINT,
      known: async (clusterId) =>
        (this.ledger?.rows ?? [])
          .filter((row) => row.state !== "gone" && (clusterId === undefined || row.clusterId === clusterId))
          .flatMap((row) => readMachine(row) ?? []),
    };
    const kubernetes = fakeKubernetesApi(this.clusters);
    const depot = makeArtifactDepot({ folder: join(artifacts, ".fetched"), clock: systemClock, timer: QUICK_TIMER });
    this.parts = { clock: systemClock, timer: QUICK_TIMER, kubernetes, machines, archive, depot };
    this.provider = makeSshProvider(this.parts);
  }

  static async open(distribution: "kubeadm" | "k3s" = "kubeadm"): Promise<FakeMachineWorld> {
    return new FakeMachineWorld(await writeFakeArtifacts([OLDER, NEWER]), await MemoryArchive.open(), distribution);
  }

  /** As with real ones: without a key, in the spec or in the ledger at that place, nothing is said to a machine. */
  #isPinned({ id, spec }: MachineOwner, name: string): boolean {
    const node = spec.ssh?.nodes.find((one) => one.name === name);
    if (node === undefined || node.hostKey !== undefined) return true;
    const port = node.port ?? spec.ssh?.access.port;
    const rows = (this.ledger?.list(id) ?? []).flatMap((row) => readMachine(row) ?? []);
    return rows.some((row) => row.address === node.address && row.port === port);
  }

  machine(called: string): FakeMachine {
    const name = this.aliases.get(called) ?? called;
    const known = this.machines.get(name) ?? new FakeMachine(name, this.#programs);
    if (!this.machines.has(name)) known.files.set("/etc/containerd/config.toml", "as it was found");
    this.machines.set(name, known);
    known.isCutOff ||= this.isBlind;
    return known;
  }

  /** One control plane and so many workers, named after the cluster. */
  cluster(name: string, more: { workers?: number; version?: string; ssh?: object } = {}): ProviderCluster {
    const spec = this.#spec(name, more.workers ?? 1, more.version ?? OLDER, more.ssh ?? {});
    return { id: `id-of-${name}`, name, generation: 1, spec };
  }

  #spec(name: string, workers: number, version: string, ssh: object): ClusterSpec {
    const node = (index: number) => ({
      name: `${name}-${index}`,
      address: addressOf(`${name}-${index}`),
      roles: index === 0 ? ["controlplane", "etcd"] : ["worker"],
    });
    const validation = validateCluster({
      ...{ apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name } },
      spec: {
        ...{ provider: "ssh", kubernetes: { version } },
        ssh: {
          distribution: this.#distribution,
          nodes: Array.from({ length: workers + 1 }, (_, index) => node(index)),
          access: { credential: { name: "machines" } },
          artifacts: { source: "directory", location: this.artifacts, offline: true },
          ...ssh,
        },
      },
    });
    if (!validation.ok) throw new Error(`no valid spec: ${JSON.stringify(validation.problems)}`);
    return validation.cluster.spec;
  }

  /** Every file of every machine, and every node. */
  inventory(): readonly string[] {
    const files = [...this.machines].flatMap(([name, { files }]) => [...files.keys()].map((path) => `${name}:${path}`));
    const nodes = [...this.clusters.byFounder.values()].flatMap((cluster) => [...cluster.nodes.keys()]);
    const initial = new Set([...this.machines.keys()].map((name) => `${name}:/etc/containerd/config.toml`));
    return [...files.filter((file) => !initial.has(file)), ...nodes.map((node) => `node ${node}`)].sort();
  }

  async dispose(): Promise<void> {
    await rm(this.artifacts, { recursive: true, force: true });
    await this.archive.dispose();
  }
}
