import { requireStillThere } from "../../../containers/still-there.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { SYSTEM } from "../clear-away.ts";
import { addedNodeArgument, type DeclaredNode, k3dPart, nodeNames } from "../declared.ts";
import { explainFailure } from "../failures.ts";
import type { K3dHost } from "../host.ts";
import { runK3d } from "../run-k3d.ts";
import { everyContainer, isStopped, JOB_LABEL, OWNER_LABEL, type SeenNode } from "../sort-out.ts";

/** One after the other: each takes the cluster's one container of tools. */
export function addK3dNode(host: K3dHost): Step {
  return {
    name: "add-k3d-node",
    precheck: async (context) => {
      const node = await findNode(host, context);
      return node !== undefined && !isStopped(node.container);
    },
    run: (context) => {
      const node = nodeOf(context);
      const text = `Add the ${node.role} ${nodeNames(context.cluster.name, node)[1]}`;
      return context.change(context.step.host, text, () => add(host, context, node));
    },
  };
}

const nodeOf = ({ step }: StepContext): DeclaredNode => step.input as unknown as DeclaredNode;

async function findNode(host: K3dHost, context: StepContext): Promise<SeenNode | undefined> {
  const { role, index } = nodeOf(context);
  const { servers, agents } = await host.see(context.cluster, context.signal);
  return [...servers, ...agents].find((node) => node.role === role && node.index === index);
}

async function add(host: K3dHost, context: StepContext, node: DeclaredNode): Promise<void> {
  const { cluster, ledger, signal } = context;
  const [, name] = nodeNames(cluster.name, node);
  requireStillThere(cluster.name, everyContainer(await host.see(cluster, signal)));
  const row = await ledger.intend({ system: SYSTEM, kind: "node", ref: name });
  await removeHalfMade(host, context);
  const end = await runK3d(context, host.parts.settings, ["node", "create", ...argumentsOf(host, context, node)]);
  if (!end.ok) {
    const failure = await explainFailure(host, context, `Adding ${name}`, end);
    const made = await findNode(host, context);
    if (made !== undefined) await host.parts.engine.removeContainer(made.container.id, signal);
    throw failure;
  }
  await forgetImages(host, context);
  await ledger.present(row.id);
}

/** The new node has none of those that were loaded into the others; a new server has no mark yet. */
async function forgetImages(host: K3dHost, { cluster, signal }: StepContext): Promise<void> {
  const seen = await host.see(cluster, signal);
  const mark = await host.mark(seen, signal);
  if (mark !== null) await host.writeMark(seen, { ...mark, images: [] }, signal);
}

/** What k3d had created and not started when it was ended; also the node under whose name the lost one is still known. */
async function removeHalfMade(host: K3dHost, context: StepContext): Promise<void> {
  const { cluster, signal } = context;
  const half = await findNode(host, context);
  if (half !== undefined) await host.parts.engine.removeContainer(half.container.id, signal);
  const target = await host.target(cluster, await host.see(cluster, signal), signal);
  if (target === null) return;
  // Under its old name a lost server is still a member of the database, and counts for the majority.
  for (const name of nodeNames(cluster.name, nodeOf(context))) {
    await host.parts.kubernetes.delete(target, `/api/v1/nodes/${name}`, signal);
  }
}

function argumentsOf(host: K3dHost, { cluster, job }: StepContext, node: DeclaredNode): readonly string[] {
  const { serverMemory, agentMemory } = k3dPart(cluster.spec);
  const memory = node.role === "server" ? serverMemory : agentMemory;
  return [
    addedNodeArgument(cluster.name, node),
    ...["--cluster", cluster.name, "--role", node.role, "--wait"],
    ...["--timeout", `${Math.ceil(host.parts.settings.patienceMs / 1_000)}s`],
    ...["--runtime-label", `${OWNER_LABEL}=${cluster.id}`, "--runtime-label", `${JOB_LABEL}=${job.id}`],
    ...(memory === undefined ? [] : ["--memory", memory]),
  ];
}
