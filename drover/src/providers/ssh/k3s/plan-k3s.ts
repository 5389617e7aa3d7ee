import type { ClusterSpec } from "@drover/contract";
import type { Module, StepUse, Task } from "../../../domain/pipeline.ts";
import { controlPlanesOf, type DeclaredNode, isControlPlane, sshPart, versionOf, workersOf } from "../declared.ts";
import {
  BRINGING_MS,
  gate,
  gateBefore,
  JOINING_MS,
  MAKING,
  noteWatchers,
  onEach,
  settle,
  waves,
} from "../plan-parts.ts";

const UPGRADING_MS = 60 * 60_000;

export function equipWithK3s(spec: ClusterSpec): Module {
  const { nodes } = sshPart(spec);
  return {
    title: "Equip the machines",
    tasks: [
      onEach("Settings", nodes, (node) => ({
        step: "configure-k3s-node",
        title: `Configure ${node}`,
        changes: [`Writes the configuration and the unit of k3s on ${node}`],
      })),
      onEach("Artifacts", nodes, (node) => ({
        step: "bring-k3s-artifacts",
        title: `Bring artifacts to ${node}`,
        deadlineMs: BRINGING_MS,
        changes: [`Brings k3s ${versionOf(spec)} and its images to ${node}`],
      })),
    ],
  };
}

/** `first` is the server with which the cluster begins, or has begun; `running` are those that were nodes before. */
export function growWithK3s(spec: ClusterSpec, first: DeclaredNode, running: readonly DeclaredNode[]): Module {
  const servers = controlPlanesOf(spec).filter(({ name }) => name !== first.name);
  const network: StepUse = {
    step: "apply-ssh-network",
    title: "Apply the pod network",
    host: first.name,
    changes: ["Applies the pod network"],
  };
  return {
    title: "Make the cluster",
    tasks: [
      onEach("First server", [first], (node) => ({
        ...{ step: "start-k3s-server", title: `Start ${node}`, deadlineMs: JOINING_MS, retry: MAKING },
        changes: [`Starts the first server on ${node}, unless it is there`],
      })),
      ...(spec.networking?.cni.type === "manifest" ? [{ title: "Pod network", steps: [network] }] : []),
      ...servers.map((node) => onEach(`Server ${node.name}`, [node], join)),
      onEach("Agents", workersOf(spec), join),
      ...preloads(spec),
      ...gateBefore("restarts", running),
      ...restarts(spec),
    ],
  };
}

const join = (node: string): Omit<StepUse, "host"> => ({
  step: "join-k3s-node",
  title: `Join ${node}`,
  deadlineMs: JOINING_MS,
  retry: MAKING,
  changes: [`Joins ${node}, unless it is a node already`],
});

function preloads(spec: ClusterSpec): readonly Task[] {
  const { nodes, preloadImages = [] } = sshPart(spec);
  if (preloadImages.length === 0) return [];
  const preload = (node: string): Omit<StepUse, "host"> => ({
    step: "preload-k3s-images",
    title: `Load images onto ${node}`,
    deadlineMs: BRINGING_MS,
    changes: [`Loads the images of spec.ssh.preloadImages onto ${node}`],
  });
  return [onEach("Images", nodes, preload)];
}

/** One server at a time, for the majority of the database; then the agents, whose pods run on. */
function restarts(spec: ClusterSpec): readonly Task[] {
  const restart = (node: string): Omit<StepUse, "host"> => ({
    step: "restart-k3s-node",
    title: `Have ${node} run as configured`,
    deadlineMs: JOINING_MS,
    retry: MAKING,
    changes: [`Restarts k3s on ${node}, if its configuration changed`],
  });
  return [
    ...controlPlanesOf(spec).map((node) => onEach(`Configuration of ${node.name}`, [node], restart)),
    onEach("Configuration of agents", workersOf(spec), restart),
  ];
}

/** Those nodes that are there, in that order: a snapshot, servers one at a time, agents in waves. */
export function upgradeK3s(spec: ClusterSpec, version: string, there: readonly DeclaredNode[]): Module {
  const { upgrade } = sshPart(spec);
  const servers = there.filter(isControlPlane);
  const input = { version };
  const run = (name: string): Omit<StepUse, "host"> => ({
    ...{ step: "upgrade-k3s-node", title: `Upgrade ${name}`, input, deadlineMs: UPGRADING_MS },
    changes: [`Drains ${name}, and runs k3s ${version} on it`],
  });
  const snapshot = onEach("Snapshot", servers.slice(0, 1), (name) => ({
    ...{ step: "snapshot-k3s-etcd", title: `Snapshot of etcd on ${name}`, input },
    changes: [`Keeps a snapshot of etcd on ${name}`],
  }));
  const artifacts: StepUse = {
    ...{ step: "check-ssh-artifacts", title: "Check the artifacts", input, deadlineMs: BRINGING_MS },
  };
  return {
    title: `Upgrade to ${version}`,
    tasks: [
      ...gateBefore("the upgrade", servers),
      { title: "Check", steps: [artifacts] },
      onEach("Artifacts", there, (name) => ({
        ...{ step: "bring-k3s-artifacts", title: `Bring artifacts to ${name}`, deadlineMs: BRINGING_MS },
        input: { version, aside: true },
        changes: [`Brings k3s ${version} and its images to ${name}`],
      })),
      ...(upgrade.snapshotFirst ? [snapshot] : []),
      ...noteWatchers(servers),
      ...servers.flatMap((node) => [
        onEach(`Server ${node.name}`, [node], run),
        // Where there are others, watchers have gone there.
        ...(servers.length === 1 ? [settle(node, `after ${node.name}`)] : []),
        gate(`after ${node.name}`, there),
      ]),
      ...waves(
        there.filter((node) => !isControlPlane(node)),
        upgrade.waveSize,
      ).flatMap((wave, index) => [
        onEach(`Agents, wave ${index + 1}`, wave, run),
        gate(`after wave ${index + 1}`, there),
      ]),
    ],
  };
}
