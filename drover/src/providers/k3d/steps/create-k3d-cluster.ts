import { DroverError } from "@drover/contract";
import { endOlderTools } from "../../../containers/run-tool.ts";
import type { Container } from "../../../ports/container-engine.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { clearAway, findBelongings, recordGone, SYSTEM } from "../clear-away.ts";
import { configFileOf } from "../config-file.ts";
import { declaredNodes, k3dPart, namesOf, nodeNames } from "../declared.ts";
import { explainFailure } from "../failures.ts";
import type { K3dHost } from "../host.ts";
import { runK3d } from "../run-k3d.ts";
import { settle } from "../settle.ts";
import { everyContainer, isHelper, JOB_LABEL, OWNER_LABEL } from "../sort-out.ts";

/**
 * Makes the cluster as a whole. What an earlier attempt left in pieces goes first: k3d cannot go on with it, since the
 * configuration of the load balancer is written only by the run that makes it.
 */
export function createK3dCluster(host: K3dHost): Step {
  return {
    name: "create-k3d-cluster",
    precheck: async (context) => (await isMade(host, context)) && (await isRecorded(context)),
    run: (context) => {
      const text = `Create the k3d cluster ${context.cluster.name}`;
      return context.change(context.step.host, text, () => create(host, context));
    },
    undo: (context) => {
      const text = `Take back the k3d cluster ${context.cluster.name}`;
      return context.change(context.step.host, text, () => takeBack(host, context));
    },
  };
}

async function takeBack(host: K3dHost, context: StepContext): Promise<void> {
  await endOlderTools(context);
  const nodes = everyContainer(await host.see(context.cluster, context.signal)).filter(hasOwner);
  // Whatever came from another job is not this one's to take back.
  if (nodes.some(({ labels }) => labels[JOB_LABEL] !== context.job.id)) return;
  await clearAway(host, context, { aftermath: true });
  await recordGone(context);
}

/** Once k3d has come to its end. Whoever was cut off before cannot know what is missing. */
async function isMade(host: K3dHost, { cluster, signal }: StepContext): Promise<boolean> {
  return (await host.mark(await host.see(cluster, signal), signal)) !== null;
}

/** A worker that died between the two has left a whole cluster that the ledger does not know to be there. */
async function isRecorded({ ledger }: StepContext): Promise<boolean> {
  const rows = (await ledger.list()).filter(({ system }) => system === SYSTEM);
  return rows.length > 0 && rows.every(({ state }) => state === "present");
}

async function create(host: K3dHost, context: StepContext): Promise<void> {
  const { ledger } = context;
  await endOlderTools(context);
  await assertNameIsOurs(host, context);
  if (!(await isMade(host, context))) await make(host, context);
  else await intend(context);
  for (const row of await ledger.list()) if (row.system === SYSTEM) await ledger.present(row.id);
}

async function make(host: K3dHost, context: StepContext): Promise<void> {
  const { cluster, signal } = context;
  const { settings } = host.parts;
  await clearLeftovers(host, context);
  const settled = await settle(host, context);
  await intend(context);
  const args = ["cluster", "create", "--config", "-"];
  const stdin = configFileOf(cluster.name, cluster.spec, settled);
  const end = await runK3d(context, settings, args, stdin);
  if (!end.ok) {
    const failure = await explainFailure(host, context, "Creating the cluster", end);
    await clearAfterFailure(host, context);
    throw failure;
  }
  await host.writeMark(await host.see(cluster, signal), { stage: "made", images: [] }, signal);
}

/** What cannot be cleared now is cleared by the next attempt; the cause of the failure is what people need. */
async function clearAfterFailure(host: K3dHost, context: StepContext): Promise<void> {
  try {
    await clearAway(host, context, { aftermath: false });
    await recordGone(context);
  } catch (error) {
    context.log(`Not everything could be cleared away: ${error instanceof Error ? error.message : error}`, "stderr");
  }
}

/** Never what others made, even under the same name. */
async function assertNameIsOurs(host: K3dHost, { cluster, ledger, signal }: StepContext): Promise<void> {
  const seen = await host.see(cluster, signal);
  const begun = (await ledger.list()).some(({ system, kind }) => system === SYSTEM && kind === "cluster");
  const strange = begun ? seen.foreign.filter((container) => !isHelper(container)) : seen.foreign;
  const { network } = namesOf(cluster.name);
  const isOurs = begun || everyContainer(seen).length > 0;
  const networks = isOurs || !makesNetwork(cluster) ? [] : await host.parts.engine.listNetworks([], signal);
  const names = [
    ...strange.map(({ name }) => `the container ${name}`),
    ...networks.filter(({ name }) => name === network).map(({ name }) => `the network ${name}`),
  ];
  if (names.length === 0) return;
  throw new DroverError(
    "name-taken",
    `On this machine somebody else has a k3d cluster called ${cluster.name}: ${names.join(", ")}. Choose another name, or import that cluster by its kubeconfig.`,
    { details: { name: cluster.name } },
  );
}

const hasOwner = ({ labels }: Container): boolean => labels[OWNER_LABEL] !== undefined;

const makesNetwork = ({ spec }: StepContext["cluster"]): boolean => k3dPart(spec).network === undefined;

/** Before anything is there, so that whatever comes about is known, wherever this process ends. */
async function intend({ cluster, ledger }: StepContext): Promise<void> {
  const { network, volume } = namesOf(cluster.name);
  const registry = k3dPart(cluster.spec).registries?.create?.name;
  const objects = [
    { kind: "cluster", ref: cluster.name },
    ...(makesNetwork(cluster) ? [{ kind: "network", ref: network }] : []),
    { kind: "volume", ref: volume },
    ...(registry === undefined ? [] : [{ kind: "registry", ref: registry }]),
    ...declaredNodes(cluster.spec).map((node) => ({ kind: "node", ref: nodeNames(cluster.name, node)[0] })),
  ];
  for (const object of objects) await ledger.intend({ system: SYSTEM, ...object });
}

async function clearLeftovers(host: K3dHost, context: StepContext): Promise<void> {
  if ((await findBelongings(host, context)).length === 0) return;
  context.log("Clearing away what an earlier attempt left.");
  await clearAway(host, context, { aftermath: true });
}
