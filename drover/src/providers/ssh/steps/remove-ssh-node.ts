import { emptyNode } from "../../../containers/empty-node.ts";
import { textAt } from "../../../domain/json-fields.ts";
import { readMachine } from "../../../machines/machine-ref.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { hasSeparateEtcd } from "../declared.ts";
import { findDeclaredTwin } from "../declared-twin.ts";
import { removeMember } from "../etcd/members.ts";
import { findTargetIfAny, forgetNodeBy } from "../forget-node.ts";
import type { SshHost } from "../host.ts";
import { isAboutLost } from "../lost-machines.ts";
import { releaseMachine } from "../release-machine.ts";
import { drainPatienceOf } from "../upgrade-settings.ts";
import { isInLedger } from "./release-ssh-machine.ts";

/** One node leaves: its pods move, the cluster forgets it, and its machine, no other, is given back as it was found. */
export function removeSshNode(host: SshHost): Step {
  return {
    name: "remove-ssh-node",
    precheck: async (context) => !(await isInLedger(context, nodeOf(context))),
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
  const isGone = await isAboutLost(context);
  const twin = isGone ? null : await findDeclaredTwin(host, context, node);
  if (twin !== null) {
    context.log(`${context.step.host} leads to the machine of ${twin}, which stays: only the way to it has changed.`);
    return await forgetWay(context, node);
  }
  // Another machine took over the name: the node of that name is that one.
  const isReplaced = cluster.spec.ssh?.nodes.some(({ name }) => name === node) === true && context.step.host !== node;
  const target = isReplaced ? null : await findTargetIfAny(host, context, node);
  if (hasSeparateEtcd(cluster.spec) && !isReplaced) await removeMember(host, context, node);
  if (target !== null) {
    // Pods of a machine that is gone go with its node; nobody would answer for their end.
    if (!isGone) await emptyNode({ ...host.parts, patienceMs: drainPatienceOf(cluster.spec) }, context, target, node);
    await forgetNodeBy(host, context, target, node);
  }
  await releaseMachine(host, context);
  // The kubelet may have shown itself once more before it was stopped.
  if (target !== null) await host.parts.kubernetes.delete(target, `/api/v1/nodes/${node}`, signal);
}

/** The row of that node alone: the ledger may have the machine under another name at the same place. */
async function forgetWay({ ledger, step }: StepContext, node: string): Promise<void> {
  for (const row of await ledger.list()) {
    const machine = readMachine(row);
    if (machine?.node !== node) continue;
    if (step.host === node || step.host === `${machine.address}:${machine.port}`) await ledger.gone(row.id);
  }
}
