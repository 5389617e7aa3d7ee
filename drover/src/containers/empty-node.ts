import { DroverError } from "@drover/contract";
import { listAt } from "../domain/json-fields.ts";
import { mustLeave, type PodSeen, podSeenOf } from "../domain/kubernetes-pod.ts";
import { type KubernetesApi, KubernetesError, type KubernetesTarget } from "../ports/kubernetes-api.ts";
import type { StepContext } from "../ports/step.ts";
import { sleep, type Timer } from "../ports/timer.ts";

/** What emptying a node takes. */
export interface EmptyingParts {
  readonly kubernetes: KubernetesApi;
  readonly timer: Timer;
  /** How long pods have to leave. */
  readonly patienceMs?: number | undefined;
}

const PAUSE_MS = 1_000;
/** Longer than pods usually take to end, and than a Deployment takes to have others ready. */
const PATIENCE_MS = 120_000;
/** Gone already, another one of the same name, or guarded by a budget. */
const LATER: ReadonlySet<number | null> = new Set([404, 409, 429]);

/** Lets nothing new onto a node, and has everything that can live elsewhere leave it. Disruption budgets are honoured. */
export async function emptyNode(
  parts: EmptyingParts,
  context: StepContext,
  target: KubernetesTarget,
  node: string,
): Promise<void> {
  const { signal } = context;
  const { kubernetes, timer, patienceMs = PATIENCE_MS } = parts;
  const path = `/api/v1/nodes/${node}`;
  if ((await kubernetes.get(target, path, signal)) === null) return;
  await kubernetes.patch(target, path, { spec: { unschedulable: true } }, { signal });
  let pods: readonly PodSeen[] = [];
  for (let round = 0; round * PAUSE_MS < patienceMs; round += 1) {
    const list = await kubernetes.get(target, `/api/v1/pods?fieldSelector=spec.nodeName%3D${node}`, signal);
    pods = listAt(list, "items")
      .map((pod) => podSeenOf(pod, 0))
      .filter(mustLeave);
    if (pods.length === 0) return;
    for (const pod of pods) await evict(kubernetes, target, pod, signal);
    await sleep(timer, PAUSE_MS, signal);
    signal.throwIfAborted();
  }
  const names = pods.map(({ namespace, name }) => `${namespace}/${name}`);
  throw new DroverError(
    "node-not-drained",
    `${names.join(", ")} does not leave ${node}. Look at its disruption budget and its termination, then retry.`,
    { details: { pods: names } },
  );
}

/** What a disruption budget forbids now is tried again later. */
async function evict(
  kubernetes: KubernetesApi,
  target: KubernetesTarget,
  pod: PodSeen,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name, uid, leaving } = pod;
  if (leaving) return;
  const body = {
    ...{ apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } },
    deleteOptions: { preconditions: { uid } },
  };
  try {
    await kubernetes.post(target, `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, body, signal);
  } catch (error) {
    if (!(error instanceof KubernetesError) || !LATER.has(error.status)) throw error;
  }
}
