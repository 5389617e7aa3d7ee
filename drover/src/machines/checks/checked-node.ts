import type { ClusterSpec, MachineFacts, NodeRole } from "@drover/contract";

/** What the checks of one machine go by. */
export interface CheckedNode {
  readonly name: string;
  /** Empty when it is not known what it is for. */
  readonly roles: readonly NodeRole[];
  readonly facts: MachineFacts;
}

/** What is to be made of the machines. */
export interface PlannedCluster {
  /** Null for a cluster that is not declared yet. */
  readonly id: string | null;
  readonly spec: ClusterSpec;
}

export const hasRole = ({ roles }: Pick<CheckedNode, "roles">, role: NodeRole): boolean => roles.includes(role);

/** On a machine that carries the cluster's own mark, what the cluster has brought there is as it should be. */
export const isMember = ({ facts }: Pick<CheckedNode, "facts">, plan: PlannedCluster | null): boolean =>
  plan !== null && plan.id !== null && facts.software.mark?.clusterId === plan.id;
