import type { ClusterSpec } from "@drover/contract";
import type { StepUse, Task } from "../../domain/pipeline.ts";
import type { RetryPolicy } from "../../domain/plan.ts";
import { type DeclaredNode, isControlPlane } from "./declared.ts";
import { usesKubeVip } from "./kube-vip.ts";

export const BRINGING_MS = 30 * 60_000;
export const JOINING_MS = 10 * 60_000;
export const GATE_MS = 10 * 60_000;
/** Starting a node takes minutes; what fails twice in a row fails again. */
export const MAKING: RetryPolicy = { attempts: 2, baseMs: 2_000, capMs: 2_000 };
/** Once, as the step itself looks again and again. */
export const WAITING: RetryPolicy = { attempts: 1, baseMs: 1_000, capMs: 1_000 };

/** One step that no machine is the place of. */
export const local = (title: string, use: StepUse): Task => ({ title, steps: [use] });

/** One task whose steps run side by side on all these nodes. */
export function onEach(
  title: string,
  nodes: readonly DeclaredNode[],
  use: (name: string) => Omit<StepUse, "host">,
): Task {
  return { title, steps: nodes.map(({ name }) => ({ ...use(name), host: name })) };
}

/** Nothing goes on before everything is well. */
export const gate = (when: string, nodes: readonly DeclaredNode[]): Task => ({
  title: `Gate ${when}`,
  steps: [
    {
      ...{ step: "wait-for-ssh-nodes", title: `Wait for the nodes ${when}`, deadlineMs: GATE_MS, retry: WAITING },
      input: { nodes: nodes.map(({ name }) => name) },
    },
  ],
});

/**
 * No control plane is stopped while another one is unwell: the database might lose its majority. A single one has nobody
 * to rely on. Where `orSilent`, a cluster whose API says nothing passes: there is nothing left to lose.
 */
export const gateBefore = (
  what: string,
  controlPlanes: readonly DeclaredNode[],
  { orSilent = false }: { readonly orSilent?: boolean } = {},
): readonly Task[] =>
  controlPlanes.length < 2
    ? []
    : [
        local(`Gate before ${what}`, {
          ...{ step: "wait-for-ssh-nodes", title: `See that all control planes are well before ${what}` },
          ...{ deadlineMs: GATE_MS, retry: WAITING },
          input: { nodes: controlPlanes.map(({ name }) => name), before: what, orSilent },
        }),
      ];

/** Before the API server goes away; where there are others, watchers go there. */
export const noteWatchers = (controlPlanes: readonly DeclaredNode[]): readonly Task[] =>
  controlPlanes.length !== 1
    ? []
    : [
        onEach("Watchers", controlPlanes, (name) => ({
          step: "note-ssh-watchers",
          title: `Note who watches ${name}`,
        })),
      ];

/** After the API server was away: nothing is drained before everybody knows again what leaves. */
export const settle = (node: DeclaredNode, when: string): Task =>
  onEach(`Controllers ${when}`, [node], () => ({
    step: "settle-ssh-api",
    title: `Wait for the controllers ${when}`,
    deadlineMs: GATE_MS,
    retry: WAITING,
  }));

export function waves(nodes: readonly DeclaredNode[], size: number): readonly (readonly DeclaredNode[])[] {
  const count = Math.ceil(nodes.length / size);
  return Array.from({ length: count }, (_, index) => nodes.slice(index * size, (index + 1) * size));
}

/**
 * What may stop a node that runs: one control plane at a time, then workers in waves, so that a bad setting takes one of
 * them at most. The step itself ends when its node is well again, and leaves alone one that is as it should be. Machines
 * that are no nodes yet come first, all at once.
 */
export function carefully(
  title: string,
  nodes: readonly DeclaredNode[],
  { isMember, waveSize }: { readonly isMember: (node: DeclaredNode) => boolean; readonly waveSize: number },
  use: (name: string) => Omit<StepUse, "host">,
): readonly Task[] {
  const members = nodes.filter(isMember);
  const newcomers = nodes.filter((node) => !members.includes(node));
  const workers = members.filter((node) => !isControlPlane(node));
  return [
    ...(newcomers.length === 0 ? [] : [onEach(title, newcomers, use)]),
    ...members.filter(isControlPlane).map((node) => onEach(`${title} of ${node.name}`, [node], use)),
    ...waves(workers, waveSize).map((wave, index) => onEach(`${title}, wave ${index + 1}`, wave, use)),
  ];
}

/** Nothing where something else leads to the API servers. */
export const kubeVipTasks = (spec: ClusterSpec, nodes: readonly DeclaredNode[]): readonly Task[] =>
  !usesKubeVip(spec)
    ? []
    : nodes.map((node) =>
        onEach(`Endpoint on ${node.name}`, [node], (name) => ({
          step: "place-ssh-kube-vip",
          title: `Set up kube-vip on ${name}`,
          changes: [`Has kube-vip on ${name} share the address of the API servers`],
        })),
      );
