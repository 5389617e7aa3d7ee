import { DroverError } from "@drover/contract";
import type { KubernetesTarget } from "../../ports/kubernetes-api.ts";
import { asMachine } from "../../ports/machines.ts";
import type { StepContext } from "../../ports/step.ts";
import { hasSeparateEtcd, isK3s } from "./declared.ts";
import { removeMember } from "./etcd/members.ts";
import type { SshHost } from "./host.ts";
import { forgetK3sNode } from "./k3s/forget-k3s-node.ts";
import { isAboutLost } from "./lost-machines.ts";
import { findRest } from "./rest-of-cluster.ts";

/**
 * How to talk to the cluster that a node is to be taken out of; null only where every machine that may hold a part of it
 * has said that it holds none. A cluster that cannot be asked now would count the node as its own for ever.
 */
export async function findTargetIfAny(
  host: SshHost,
  context: StepContext,
  name: string,
): Promise<KubernetesTarget | null> {
  const target = await host.target(context.cluster, context.signal);
  if (target !== null) return target;
  const rest = await findRest(host, context, name);
  if (rest === null) return null;
  throw new DroverError(
    "cluster-not-ready",
    `No control plane of ${context.cluster.name} can be asked to forget ${name} now. ${rest}`,
  );
}

/**
 * Has the cluster forget a node that is gone from its machine: its place in the database first, as it counts for the
 * majority, then its object. Nothing happens where the cluster does not know it.
 */
export async function forgetNode(host: SshHost, context: StepContext, name: string): Promise<void> {
  const target = await findTargetIfAny(host, context, name);
  if (target !== null) await forgetNodeBy(host, context, target, name);
}

export async function forgetNodeBy(
  host: SshHost,
  context: StepContext,
  target: KubernetesTarget,
  name: string,
): Promise<void> {
  const { cluster, signal } = context;
  if (isK3s(cluster.spec)) {
    const machine = (await isAboutLost(context)) ? null : asMachine(await context.connect(context.step.host));
    return await forgetK3sNode(host, context, target, name, machine);
  }
  const path = `/api/v1/nodes/${name}`;
  const node = await host.parts.kubernetes.get(target, path, signal);
  // A member apart from the API servers is no matter of the node that runs beside it.
  if (!hasSeparateEtcd(cluster.spec)) await removeMember(host, context, name);
  if (node === null) return;
  context.log(`The cluster still has a node ${name} from before; it forgets it now.`);
  await host.parts.kubernetes.delete(target, path, signal);
}
