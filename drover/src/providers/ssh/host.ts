import { addressKubeconfig } from "../../containers/kubeconfig-reader.ts";
import type { CertificateSeen } from "../../domain/certificates.ts";
import type { ArtifactDepot } from "../../ports/artifact-depot.ts";
import type { BackupArchive } from "../../ports/backup-archive.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KubernetesApi, KubernetesTarget } from "../../ports/kubernetes-api.ts";
import type { MachineOwner, Machines, RemoteMachine } from "../../ports/machines.ts";
import type { Timer } from "../../ports/timer.ts";
import { ChecksumMemory } from "./checksum-memory.ts";
import { controlPlanesOf, serverOf } from "./declared.ts";
import { LOOK_DEADLINE_MS, lookAtMachine, type MachineLook } from "./machine-look.ts";
import { INCOMING_FOLDER } from "./machine-paths.ts";
import { FileSpread } from "./spread/file-spread.ts";

export interface SshParts {
  readonly archive: BackupArchive;
  readonly depot: ArtifactDepot;
  readonly machines: Machines;
  readonly kubernetes: KubernetesApi;
  readonly clock: Clock;
  readonly timer: Timer;
}

export type SshCluster = MachineOwner & { readonly name: string };

/** What one machine said, or why it said nothing. */
export type Seen =
  | { readonly node: string; readonly look: MachineLook }
  | { readonly node: string; readonly unreachable: string };

/** Whether a machine said that it is a node of the cluster, and not only on the way there. */
export const isMemberOf = (clusterId: string, seen: Seen): boolean =>
  "look" in seen && seen.look.mark?.clusterId === clusterId && seen.look.mark.stage !== "claimed";

/** What steps and looks of this provider share. */
export class SshHost {
  readonly parts: SshParts;
  readonly checksums = new ChecksumMemory();
  readonly spread: FileSpread;
  /** By cluster: what was last seen on its control planes. */
  readonly certificates = new Map<string, readonly CertificateSeen[]>();
  /** By cluster: the administrator's kubeconfig with the sum of the file that it was read from. */
  readonly #kubeconfigs = new Map<string, { readonly sum: string; readonly text: string }>();

  constructor(parts: SshParts) {
    this.parts = parts;
    this.spread = new FileSpread({ ...parts, folder: INCOMING_FOLDER });
  }

  /** All machines at once; one that does not answer costs its deadline and no more. */
  async seeAll(cluster: SshCluster, names: readonly string[], signal: AbortSignal): Promise<readonly Seen[]> {
    return await Promise.all(names.map((node) => this.#see(cluster, node, signal)));
  }

  async #see(cluster: SshCluster, node: string, signal: AbortSignal): Promise<Seen> {
    try {
      const machine = await this.parts.machines.connect(cluster, node);
      return { node, look: await lookAtMachine(machine, signal) };
    } catch (error) {
      signal.throwIfAborted();
      return { node, unreachable: error instanceof Error ? error.message : String(error) };
    }
  }

  /** How to talk to the cluster, from any control plane that answers; null while there is none. */
  async target(cluster: SshCluster, signal: AbortSignal): Promise<KubernetesTarget | null> {
    const names = await this.#membersAmong(cluster);
    const seen = await this.seeAll(cluster, names, signal);
    return await this.targetAmong(cluster, seen, signal);
  }

  async targetAmong(cluster: SshCluster, seen: readonly Seen[], signal: AbortSignal): Promise<KubernetesTarget | null> {
    for (const one of seen) {
      if (!("look" in one) || one.look.adminConfig === null || one.look.mark?.clusterId !== cluster.id) continue;
      const text = await this.#readKubeconfig(cluster, one.node, one.look.adminConfig, signal);
      if (text !== null) return { kubeconfig: addressKubeconfig(text, cluster.name, serverOf(cluster.spec)) };
    }
    return null;
  }

  /** Control planes that were claimed: of the others nothing can be asked. */
  async #membersAmong(cluster: SshCluster): Promise<readonly string[]> {
    const known = new Set((await this.parts.machines.known(cluster.id)).map(({ node }) => node));
    return controlPlanesOf(cluster.spec).flatMap(({ name }) => (known.has(name) ? [name] : []));
  }

  async #readKubeconfig(
    cluster: SshCluster,
    node: string,
    { path, sha256: sum }: NonNullable<MachineLook["adminConfig"]>,
    signal: AbortSignal,
  ): Promise<string | null> {
    const known = this.#kubeconfigs.get(cluster.id);
    if (known?.sum === sum) return known.text;
    const machine: RemoteMachine = await this.parts.machines.connect(cluster, node);
    const { exitCode, stdout } = await machine.run(
      { argv: ["cat", path] },
      { signal, deadlineMs: LOOK_DEADLINE_MS, keepBytes: 1 << 20 },
    );
    if (exitCode !== 0) return null;
    this.#kubeconfigs.set(cluster.id, { sum, text: stdout });
    return stdout;
  }
}
