import { DroverError } from "@drover/contract";
import { listNames } from "../../../containers/describe-containers.ts";
import { explained } from "../../../containers/explain-steps.ts";
import { readCredential } from "../../../containers/read-secret.ts";
import { mirrorFile } from "../../../containers/registry-mirrors.ts";
import { endOlderTools } from "../../../containers/run-tool.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { clearAway, findBelongings, networkRow, recordGone, removeNetworks, SYSTEM } from "../clear-away.ts";
import { configFileOf } from "../config-file.ts";
import { declaredContainers, kindPart } from "../declared.ts";
import { explainFailure } from "../failures.ts";
import type { KindHost } from "../host.ts";
import { missingContainers } from "../look.ts";
import { lostNodes } from "../plan.ts";
import { removeFolder, runKind } from "../run-kind.ts";
import { settle } from "../settle.ts";
import { everyContainer, makerOf, type SeenContainers } from "../sort-out.ts";

/**
 * Makes the cluster as a whole. What an earlier attempt left without the mark of success goes first: nobody knows in the
 * middle of what it was cut off, and kind cannot go on with it.
 */
export function createKindCluster(host: KindHost): Step {
  return explained({
    name: "create-kind-cluster",
    precheck: async (context) => (await isMade(host, context)) && (await isRecorded(context)),
    run: (context) => {
      const text = `Create the kind cluster ${context.cluster.name}`;
      return context.change(context.step.host, text, () => create(host, context));
    },
    undo: (context) => {
      const text = `Take back the kind cluster ${context.cluster.name}`;
      return context.change(context.step.host, text, () => takeBack(host, context));
    },
  });
}

async function isMade(host: KindHost, { cluster, signal }: StepContext): Promise<boolean> {
  const seen = await host.see(cluster, signal);
  if (missingContainers(cluster, everyContainer(seen)).length > 0) return false;
  return (await host.marks.read(seen.controlPlanes, signal)) !== null;
}

async function isRecorded({ cluster, ledger }: StepContext): Promise<boolean> {
  const rows = (await ledger.list()).filter(({ system, state }) => system === SYSTEM && state === "present");
  return declaredContainers(cluster.name, cluster.spec).every((name) => rows.some(({ ref }) => ref === name));
}

async function create(host: KindHost, context: StepContext): Promise<void> {
  await endOlderTools(context);
  await assertNameIsOurs(host, context);
  await intend(host, context);
  if (await isMade(host, context)) context.log("It is there already and is taken over.");
  else {
    await clearLeftovers(host, context);
    await make(host, context);
  }
  for (const row of await context.ledger.list()) if (row.system === SYSTEM) await context.ledger.present(row.id);
}

/** Never what others made, even under the same name. */
async function assertNameIsOurs(host: KindHost, context: StepContext): Promise<void> {
  const { cluster, signal } = context;
  const { foreign } = await host.see(cluster, signal);
  const ours = new Set((await findBelongings(host, context)).map(({ id }) => id));
  const strange = foreign.filter(({ id }) => !ours.has(id));
  if (strange.length === 0) return;
  throw new DroverError(
    "name-taken",
    `On this machine somebody else has a kind cluster called ${cluster.name}: ${listNames(strange)}. Choose another name, or import that cluster by its kubeconfig.`,
    { details: { name: cluster.name } },
  );
}

/** Before anything is there, so that whatever comes about is known, wherever this process ends. */
async function intend(host: KindHost, { cluster, ledger, signal }: StepContext): Promise<void> {
  for (const ref of declaredContainers(cluster.name, cluster.spec)) {
    await ledger.intend({ system: SYSTEM, kind: "container", ref });
  }
  const { network } = kindPart(cluster.spec);
  if (network === undefined) return;
  // kind makes a network that is not there; one that is belongs to somebody else.
  const networks = await host.parts.engine.listNetworks([], signal);
  if (networks.every(({ name }) => name !== network)) await ledger.intend(networkRow(network));
}

async function clearLeftovers(host: KindHost, context: StepContext): Promise<void> {
  const { controlPlanes } = await host.see(context.cluster, context.signal);
  const mark = await host.marks.read(controlPlanes, context.signal);
  if (mark?.stage === "complete") throw lostNodes(context.cluster.name);
  if ((await findBelongings(host, context)).length === 0) return;
  context.log("Clearing away what an earlier attempt left.");
  await clearAway(host, context, { aftermath: true });
}

async function make(host: KindHost, context: StepContext): Promise<void> {
  const { cluster, signal } = context;
  const { settings } = host.parts;
  const files = await mirrorFiles(context);
  const stdin = configFileOf(cluster.name, cluster.spec, await settle(host, context));
  const { network } = kindPart(cluster.spec);
  const environment: Record<string, string> =
    network === undefined ? {} : { KIND_EXPERIMENTAL_DOCKER_NETWORK: network };
  // Otherwise kind, when it fails, removes whatever has the name by then, also what somebody else just made.
  const end = await runKind(context, settings, ["create", "cluster", "--config", "-", "--retain"], {
    stdin,
    environment,
  });
  if (!end.ok) throw await giveUp(host, context, explainFailure("Creating the cluster", end));
  const seen = await host.see(cluster, signal);
  const differs = await versionDiffers(host, context, seen);
  if (differs !== null) throw await giveUp(host, context, differs);
  for (const { id } of [...seen.controlPlanes, ...seen.workers]) {
    for (const { path, content } of files) await host.parts.engine.writeFile(id, path, content, signal);
  }
  await host.marks.write(seen.controlPlanes, { stage: "made", images: [] }, signal);
}

/** Nothing of a failed attempt stays; when that fails too, the next attempt begins with it. */
async function giveUp(host: KindHost, context: StepContext, failure: DroverError): Promise<DroverError> {
  try {
    await clearAway(host, context, { aftermath: false });
  } catch (error) {
    context.log(`What was begun could not be removed yet: ${error instanceof Error ? error.message : String(error)}`);
  }
  return failure;
}

/** Every node image says which Kubernetes it holds. */
async function versionDiffers(host: KindHost, context: StepContext, seen: SeenContainers): Promise<DroverError | null> {
  const wanted = context.cluster.spec.kubernetes?.version;
  const [first] = seen.controlPlanes;
  if (wanted === undefined || first === undefined) return null;
  const bytes = await host.parts.engine.readFile(first.id, "/kind/version", context.signal);
  const held = bytes === null ? wanted : new TextDecoder().decode(bytes).trim();
  if (held === wanted) return null;
  return new DroverError(
    "image-differs",
    `The image ${first.image} holds Kubernetes ${held}, not ${wanted} as declared. Declare that version, or another image.`,
  );
}

async function mirrorFiles(context: StepContext) {
  const files = [];
  for (const mirror of kindPart(context.cluster.spec).registries ?? []) {
    const { credential } = mirror;
    files.push(mirrorFile(mirror, credential === undefined ? undefined : await readCredential(context, credential)));
  }
  return files;
}

/** What this job made and no other; the job is known by the folder that the nodes see. */
async function takeBack(host: KindHost, context: StepContext): Promise<void> {
  await endOlderTools(context);
  const others = everyContainer(await host.see(context.cluster, context.signal)).map(makerOf);
  if (others.some((maker) => maker !== null && maker !== context.job.id)) return;
  await clearAway(host, context, { aftermath: true });
  await removeNetworks(host, context);
  await removeFolder(context, host.parts.settings);
  await recordGone(host, context);
}
