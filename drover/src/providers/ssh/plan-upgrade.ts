import { DroverError } from "@drover/contract";
import { isFields } from "../../domain/json-fields.ts";
import {
  compareKubernetesVersions,
  formatKubernetesVersion,
  type KubernetesVersion,
  parseKubernetesVersion,
} from "../../domain/kubernetes-version.ts";
import type { Module, StepUse } from "../../domain/pipeline.ts";
import type { RetryPolicy } from "../../domain/plan.ts";
import type { Sighting } from "../../domain/sighting.ts";
import { upgradePath } from "../../domain/version-skew.ts";
import type { ProviderCluster } from "../../ports/provider.ts";
import { controlPlanesOf, hasSeparateEtcd, isK3s, sshPart, versionOf, workersOf } from "./declared.ts";
import { membersAmong, upgradeDatabase } from "./etcd/plan-etcd.ts";
import { upgradeK3s } from "./k3s/plan-k3s.ts";
import { BRINGING_MS, carefully, gate, gateBefore, noteWatchers, onEach, settle, waves } from "./plan-parts.ts";
import { machinesSeen, type SeenMachine } from "./seen-machines.ts";

const UPGRADING_MS = 15 * 60_000;
const KUBELET_MS = 60 * 60_000;
/** Right after an API server has restarted, it may not know yet what a node may see. */
const UPGRADING: RetryPolicy = { attempts: 6, baseMs: 5_000, capMs: 15_000 };

/** What brings every node to the declared version; nothing where all are there, or none can be asked. */
export function planUpgrade(cluster: ProviderCluster, observed: Sighting): readonly Module[] {
  if (!observed.complete || observed.reachable !== true) return [];
  const target = versionOf(cluster.spec);
  const versions = versionsSeen(observed);
  const oldest = [...versions.values(), observed.kubernetesVersion ?? target].reduce(lower, target);
  if (oldest === target) return [];
  const version = nextVersion(cluster.name, oldest, target);
  if (isK3s(cluster.spec)) {
    const there = sshPart(cluster.spec).nodes.filter(({ name }) => versions.has(name));
    return [upgradeK3s(cluster.spec, version, there)];
  }
  return [upgradeTo(cluster, version, versions, machinesSeen(observed.body))];
}

function versionsSeen({ body }: Sighting): ReadonlyMap<string, string> {
  const nodes = Array.isArray(body["nodes"]) ? body["nodes"] : [];
  return new Map(
    nodes.flatMap((node) =>
      isFields(node) && typeof node["name"] === "string" && typeof node["version"] === "string"
        ? [[node["name"], node["version"]] as const]
        : [],
    ),
  );
}

function lower(one: string, other: string): string {
  const [left, right] = [parseKubernetesVersion(one), parseKubernetesVersion(other)];
  return left !== null && right !== null && compareKubernetesVersions(right, left) < 0 ? other : one;
}

/** Kubernetes goes one minor at a time; each is a change of its own, with its own snapshot. */
function nextVersion(name: string, from: string, to: string): string {
  const [start, end] = [parseKubernetesVersion(from), parseKubernetesVersion(to)] as [
    KubernetesVersion,
    KubernetesVersion,
  ];
  const path = upgradePath(start, end);
  if (!path.ok) throw new DroverError("change-forbidden", `${name} cannot be upgraded: ${path.message}`);
  if (path.path.length <= 1) return to;
  const next = formatKubernetesVersion(path.path[0] as KubernetesVersion).replace(/\.\d+(\+.*)?$/, "");
  throw new DroverError(
    "change-forbidden",
    `${name} runs ${from}, and no minor may be left out on the way to ${to}: declare a release of ${next} first.`,
  );
}

function upgradeTo(
  { spec }: ProviderCluster,
  version: string,
  seen: ReadonlyMap<string, string>,
  machines: readonly SeenMachine[],
): Module {
  const { upgrade, nodes, schedulableControlPlane } = sshPart(spec);
  const there = nodes.filter(({ name }) => seen.has(name));
  const controlPlanes = controlPlanesOf(spec).filter(({ name }) => seen.has(name));
  const [first] = controlPlanes;
  const input = { version };
  const artifacts: StepUse = {
    ...{ step: "check-ssh-artifacts", title: "Check the artifacts", input, deadlineMs: BRINGING_MS },
  };
  const withEtcd = hasSeparateEtcd(spec) ? membersAmong(spec, machines) : controlPlanes;
  const snapshot = onEach("Snapshot", withEtcd.slice(0, 1), (name) => ({
    ...{ step: "snapshot-ssh-etcd", title: `Snapshot of etcd on ${name}`, input },
    changes: [`Keeps a snapshot of etcd on ${name}`],
  }));
  return {
    title: `Upgrade to ${version}`,
    tasks: [
      ...gateBefore("the upgrade", controlPlanes),
      { title: "Check", steps: [artifacts] },
      onEach("Artifacts", there, (name) => ({
        ...{ step: "bring-ssh-artifacts", title: `Bring artifacts to ${name}`, deadlineMs: BRINGING_MS },
        input: { version, programs: ["kubeadm", "etcdctl"] },
        changes: [`Brings kubeadm and images of Kubernetes ${version} to ${name}`],
      })),
      ...carefully("Settings", there, { isMember: () => true, waveSize: upgrade.waveSize }, (name) => ({
        ...{ step: "prepare-ssh-machine", title: `Prepare ${name}`, input },
        changes: [`Sets up containerd on ${name} for ${version}`],
      })),
      ...(upgrade.snapshotFirst ? [snapshot] : []),
      ...noteWatchers(controlPlanes),
      ...upgradeDatabase(spec, version, machines),
      ...controlPlanes.flatMap((node) => [
        onEach(`Control plane ${node.name}`, [node], (name) => components(name, version, node === first)),
        // The next step drains it; where pods may be.
        ...(schedulableControlPlane ? [settle(node, `after the components of ${node.name}`)] : []),
        onEach(`Kubelet of ${node.name}`, [node], (name) => kubelet(name, version)),
        settle(node, `after ${node.name}`),
        gate(`after ${node.name}`, there),
      ]),
      ...waves(
        workersOf(spec).filter(({ name }) => seen.has(name)),
        upgrade.waveSize,
      ).flatMap((wave, index) => [
        onEach(`Workers, wave ${index + 1}`, wave, (name) => components(name, version, false)),
        onEach(`Kubelets, wave ${index + 1}`, wave, (name) => kubelet(name, version)),
        gate(`after wave ${index + 1}`, there),
      ]),
    ],
  };
}

const components = (name: string, version: string, first: boolean): Omit<StepUse, "host"> => ({
  step: "upgrade-ssh-components",
  title: `Upgrade ${name}`,
  input: { version, first },
  deadlineMs: UPGRADING_MS,
  retry: UPGRADING,
  changes: [`Upgrades the components of ${name} to ${version}`],
});

const kubelet = (name: string, version: string): Omit<StepUse, "host"> => ({
  step: "change-ssh-kubelet",
  title: `Change the kubelet of ${name}`,
  input: { version },
  deadlineMs: KUBELET_MS,
  changes: [`Drains ${name}, and runs its kubelet in ${version}`],
});
