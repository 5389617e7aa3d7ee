import { emptyNode } from "../../../containers/empty-node.ts";
import { textAt } from "../../../domain/json-fields.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { hasSeparateEtcd } from "../declared.ts";
import { removeMember } from "../etcd/members.ts";
import { forgetNode } from "../forget-node.ts";
import type { SshHost } from "../host.ts";
import { releaseMachine } from "../release-machine.ts";
import { drainPatienceOf } from "../upgrade-settings.ts";
import { isInLedger } from "./release-ssh-machine.ts";

/** One node leaves: its pods move, the cluster forgets it, and its machine, no other, is given back as it was found. */
export function removeSshNode(host: SshHost): Step {
  return {
    name: "remove-ssh-node",
    precheck: async (context) => !(await isInLedger(context)),
    run: (context) => {
      const text = `Drain ${nodeOf(context)}, take it out of ${context.cluster.name}, and give its machine back`;
      return context.change(context.step.host, text, () => remove(host, context));
    },
  };
}

function nodeOf({ step }: StepContext): string {
  return textAt(step.input, "node") ?? step.host;
}

async function remove(host: SshHost, context: StepContext): Promise<void> {
  const { cluster, signal } = context;
  const node = nodeOf(context);
  const target = await host.target(cluster, signal);
  // Another machine took over the name: the node of that name is that one.
  const isReplaced = cluster.spec.ssh?.nodes.some(({ name }) => name === node) === true && context.step.host !== node;
  if (hasSeparateEtcd(cluster.spec) && !isReplaced) await removeMember(host, context, node);
  if (target !== null && !isReplaced) {
    await emptyNode({ ...host.parts, patienceMs: drainPatienceOf(cluster.spec) }, context, target, node);
    await forgetNode(host, context, node);
  }
  await releaseMachine(host, context);
  // The kubelet may have shown itself once more before it was stopped.
  if (target !== null && !isReplaced) await host.parts.kubernetes.delete(target, `/api/v1/nodes/${node}`, signal);
}
