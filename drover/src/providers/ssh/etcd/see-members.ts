import { hasSeparateEtcd } from "../declared.ts";
import type { Seen, SshCluster, SshHost } from "../host.ts";
import { findSpeaker, judgeMembers, listMembers } from "./members.ts";

/** What is wrong with members of a database that runs apart, as one of them says; empty when nothing is. */
export async function describeUnwellMembers(
  host: SshHost,
  cluster: SshCluster,
  seen: readonly Seen[],
  signal: AbortSignal,
): Promise<string> {
  if (!hasSeparateEtcd(cluster.spec)) return "";
  const asking = { cluster, signal };
  try {
    const machine = await findSpeaker(host, asking, seen);
    if (machine === null) return "No member of etcd can be asked.";
    const members = await judgeMembers(machine, asking, await listMembers(machine, asking));
    const unwell = members.filter(({ healthy }) => healthy !== true).map(({ name }) => name);
    return unwell.length === 0 ? "" : `etcd is not healthy on ${unwell.join(", ")}.`;
  } catch (error) {
    signal.throwIfAborted();
    return `etcd does not answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}
