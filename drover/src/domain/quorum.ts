/** A voting member of etcd. `healthy: null` means that it was not found out, which counts as unhealthy. */
export interface EtcdMember {
  readonly name: string;
  readonly healthy: boolean | null;
}

export type QuorumVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly reason: "not-a-member" | "last-member" | "no-quorum-now" | "quorum-would-be-lost";
      readonly message: string;
    };

export function quorumOf(members: number): number {
  return Math.floor(members / 2) + 1;
}

/** How many members may fail before writes stop. */
export function faultToleranceOf(members: number): number {
  return members === 0 ? 0 : members - quorumOf(members);
}

/** For good. The remaining members must be able to decide, both on the removal and afterwards. */
export function mayRemoveMember(members: readonly EtcdMember[], name: string): QuorumVerdict {
  const refusal = refuseUnknown(members, name) ?? refuseWithoutQuorum(members);
  if (refusal) return refusal;
  if (members.length === 1) {
    return refuse("last-member", `"${name}" is the only etcd member; removing it would lose the cluster's data.`);
  }
  const rest = members.filter((member) => member.name !== name);
  return checkQuorum(countHealthy(rest), rest.length, `"${name}" cannot be removed`);
}

/** For a while, as an upgrade or a reboot does: it still counts as a member. */
export function mayStopMember(members: readonly EtcdMember[], name: string): QuorumVerdict {
  const refusal = refuseUnknown(members, name);
  if (refusal) return refusal;
  if (members.length === 1) {
    return refuse("last-member", `"${name}" is the only etcd member; the API is down while it is stopped.`);
  }
  const rest = members.filter((member) => member.name !== name);
  return checkQuorum(countHealthy(rest), members.length, `"${name}" cannot be stopped`);
}

/**
 * A new member counts from the moment it is announced, before it has started: until then those that are there must
 * make up the quorum of the larger cluster. A single healthy member may always get company.
 */
export function mayAddMember(members: readonly EtcdMember[]): QuorumVerdict {
  if (members.length === 0) return { allowed: true };
  const refusal = refuseWithoutQuorum(members);
  if (refusal) return refusal;
  if (members.length === 1) return { allowed: true };
  return checkQuorum(countHealthy(members), members.length + 1, "No member can be added");
}

function refuse(reason: Exclude<QuorumVerdict, { allowed: true }>["reason"], message: string): QuorumVerdict {
  return { allowed: false, reason, message };
}

function refuseUnknown(members: readonly EtcdMember[], name: string): QuorumVerdict | null {
  if (members.some((member) => member.name === name)) return null;
  return refuse("not-a-member", `"${name}" is no etcd member. Members: ${members.map((one) => one.name).join(", ")}.`);
}

function refuseWithoutQuorum(members: readonly EtcdMember[]): QuorumVerdict | null {
  const healthy = countHealthy(members);
  const quorum = quorumOf(members.length);
  if (healthy >= quorum) return null;
  return refuse(
    "no-quorum-now",
    `etcd has no quorum: ${healthy} of ${members.length} members are healthy, ${quorum} are needed. Bring back a member or restore a snapshot.`,
  );
}

function checkQuorum(healthy: number, members: number, action: string): QuorumVerdict {
  const quorum = quorumOf(members);
  if (healthy >= quorum) return { allowed: true };
  return refuse(
    "quorum-would-be-lost",
    `${action} now: ${healthy} healthy of ${members} members would be left, ${quorum} are needed. Wait until the other members are healthy.`,
  );
}

function countHealthy(members: readonly EtcdMember[]): number {
  return members.filter((member) => member.healthy === true).length;
}
