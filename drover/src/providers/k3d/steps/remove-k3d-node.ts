import { emptyNode } from "../../../containers/empty-node.ts";
import type { KubernetesTarget } from "../../../ports/kubernetes-api.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { SYSTEM } from "../clear-away.ts";
import { explainFailure } from "../failures.ts";
import type { K3dHost } from "../host.ts";
import { runK3d } from "../run-k3d.ts";
import type { SeenNode } from "../sort-out.ts";

/** Empties a node, removes its container, and has the cluster forget it. A cluster that does not answer is not waited for. */
export function removeK3dNode(host: K3dHost): Step {
  return {
    name: "remove-k3d-node",
    precheck: async (context) =>
      (await findRow(context)) === undefined &&
      (await findNode(host, context)) === undefined &&
      !(await isKnown(host, context)),
    run: (context) => {
      const text = `Drain and remove the node ${nodeOf(context)}`;
      return context.change(context.step.host, text, () => remove(host, context));
    },
  };
}

const nodeOf = ({ step }: StepContext): string => (step.input as unknown as { node: string }).node;

async function findNode(host: K3dHost, context: StepContext): Promise<SeenNode | undefined> {
  const { servers, agents } = await host.see(context.cluster, context.signal);
  return [...servers, ...agents].find(({ container }) => container.name === nodeOf(context));
}

async function findRow(context: StepContext) {
  const rows = await context.ledger.list();
  return rows.find(({ system, kind, ref }) => system === SYSTEM && kind === "node" && ref === nodeOf(context));
}

/** Null when the cluster does not answer: then nobody can be asked to leave. */
async function reach(host: K3dHost, { cluster, signal }: StepContext): Promise<KubernetesTarget | null> {
  const seen = await host.see(cluster, signal);
  const { reachable } = await host.health(cluster, seen, { thorough: false, signal });
  return reachable === true ? await host.target(cluster, seen, signal) : null;
}

async function isKnown(host: K3dHost, context: StepContext): Promise<boolean> {
  const target = await reach(host, context);
  if (target === null) return false;
  return (await host.parts.kubernetes.get(target, `/api/v1/nodes/${nodeOf(context)}`, context.signal)) !== null;
}

async function remove(host: K3dHost, context: StepContext): Promise<void> {
  const { ledger, signal } = context;
  const node = nodeOf(context);
  const target = await reach(host, context);
  if (target !== null) await emptyNode(host.parts, context, target, node);
  if ((await findNode(host, context)) !== undefined) {
    const end = await runK3d(context, host.parts.settings, ["node", "delete", node]);
    if (!end.ok) throw await explainFailure(host, context, `Removing ${node}`, end);
  }
  if (target !== null) await host.parts.kubernetes.delete(target, `/api/v1/nodes/${node}`, signal);
  if ((await findNode(host, context)) !== undefined) return;
  const row = await findRow(context);
  if (row !== undefined) await ledger.gone(row.id);
}
