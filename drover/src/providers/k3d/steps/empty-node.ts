import { DroverError } from "@drover/contract";
import { type Fields, listAt, textAt } from "../../../domain/json-fields.ts";
import { KubernetesError, type KubernetesTarget } from "../../../ports/kubernetes-api.ts";
import type { StepContext } from "../../../ports/step.ts";
import { sleep } from "../../../ports/timer.ts";
import type { K3dHost } from "../host.ts";

const PAUSE_MS = 1_000;
/** Longer than pods usually take to end, and than a Deployment takes to have others ready. */
const ROUNDS = 120;
const TOO_MANY_REQUESTS = 429;

/** Lets nothing new onto a node, and has everything that can live elsewhere leave it. Disruption budgets are honoured. */
export async function emptyNode(
  host: K3dHost,
  context: StepContext,
  target: KubernetesTarget,
  node: string,
): Promise<void> {
  const { signal } = context;
  const { kubernetes, timer } = host.parts;
  const path = `/api/v1/nodes/${node}`;
  if ((await kubernetes.get(target, path, signal)) === null) return;
  await kubernetes.patch(target, path, { spec: { unschedulable: true } }, { signal });
  let held: readonly string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const list = await kubernetes.get(target, `/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`, signal);
    const pods = listAt(list, "items").filter(mustLeave);
    if (pods.length === 0) return;
    held = [];
    for (const pod of pods) if (!(await evict(host, target, pod, signal))) held = [...held, nameOf(pod)];
    await sleep(timer, PAUSE_MS, signal);
    signal.throwIfAborted();
  }
  throw new DroverError(
    "step-failed",
    `${held.join(", ") || "A pod"} does not leave ${node}. Look at its disruption budget and its termination, then retry.`,
  );
}

const nameOf = (pod: Fields): string => `${textAt(pod, "metadata", "namespace")}/${textAt(pod, "metadata", "name")}`;

/** What belongs to the node, or has ended, goes with it. */
function mustLeave(pod: Fields): boolean {
  const isMirror = textAt(pod, "metadata", "annotations", "kubernetes.io/config.mirror") !== null;
  const isDaemon = listAt(pod, "metadata", "ownerReferences").some(({ kind }) => kind === "DaemonSet");
  const phase = textAt(pod, "status", "phase");
  return !isMirror && !isDaemon && phase !== "Succeeded" && phase !== "Failed";
}

/** False while a disruption budget forbids it. */
async function evict(host: K3dHost, target: KubernetesTarget, pod: Fields, signal: AbortSignal): Promise<boolean> {
  if (textAt(pod, "metadata", "deletionTimestamp") !== null) return true;
  const namespace = textAt(pod, "metadata", "namespace");
  const name = textAt(pod, "metadata", "name");
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } };
  try {
    await host.parts.kubernetes.post(target, `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, body, signal);
    return true;
  } catch (error) {
    if (error instanceof KubernetesError && error.status === TOO_MANY_REQUESTS) return false;
    if (error instanceof KubernetesError && error.status === 404) return true;
    throw error;
  }
}
