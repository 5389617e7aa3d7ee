import { asMachine } from "../../ports/machines.ts";
import type { StepContext } from "../../ports/step.ts";
import { hasSeparateEtcd, isK3s } from "./declared.ts";
import { removeMember } from "./etcd/members.ts";
import type { SshHost } from "./host.ts";
import { forgetK3sNode } from "./k3s/forget-k3s-node.ts";

/**
 * Has the cluster forget a node that is gone from its machine: its place in the database first, as it counts for the
 * majority, then its object. Nothing happens where the cluster does not know it.
 */
export async function forgetNode(host: SshHost, context: StepContext, name: string): Promise<void> {
  const { cluster, signal } = context;
  const target = await host.target(cluster, signal);
  if (target === null) return;
  if (isK3s(cluster.spec)) {
    return await forgetK3sNode(host, context, target, name, asMachine(await context.connect(context.step.host)));
  }
  const path = `/api/v1/nodes/${name}`;
  const node = await host.parts.kubernetes.get(target, path, signal);
  // A member apart from the API servers is no matter of the node that runs beside it.
  if (!hasSeparateEtcd(cluster.spec)) await removeMember(host, context, name);
  if (node === null) return;
  context.log(`The cluster still has a node ${name} from before; it forgets it now.`);
  await host.parts.kubernetes.delete(target, path, signal);
}
