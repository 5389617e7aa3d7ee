import { isNodeReady } from "../domain/kubernetes-node.ts";
import { type KubernetesApi, KubernetesError, type KubernetesTarget } from "../ports/kubernetes-api.ts";
import type { StepContext } from "../ports/step.ts";
import { sleep, type Timer } from "../ports/timer.ts";

export interface NodesWanted {
  /** How many should have joined. */
  readonly count: number;
  /** False where nothing can make them ready before somebody else brings a pod network. */
  readonly ready: boolean;
}

/** A twentieth of the time waited so far: hardly anything is lost at the end, and a long wait asks rarely. */
const pauseAfter = (waitedMs: number): number => Math.min(Math.max(waitedMs / 20, 250), 2_000);

/** What is still missing, in words; null when nothing is. */
export async function missingNodes(
  kubernetes: KubernetesApi,
  target: KubernetesTarget | null,
  wanted: NodesWanted,
  signal: AbortSignal,
): Promise<string | null> {
  if (target === null) return "The API of the cluster is not published yet.";
  try {
    const { ready, nodes } = await kubernetes.look(target, { thorough: true, signal });
    if (!ready) return "The API of the cluster is not ready yet.";
    if (nodes.length < wanted.count) return `${nodes.length} of ${wanted.count} nodes have joined.`;
    const unready = wanted.ready ? nodes.filter((node) => !isNodeReady(node)) : [];
    return unready.length === 0 ? null : `Not ready yet: ${unready.map(({ name }) => name).join(", ")}.`;
  } catch (error) {
    if (error instanceof KubernetesError) return error.message;
    throw error;
  }
}

/** Until nothing is missing; the deadline of the step ends it. What is missing is told whenever that changes. */
export async function waitForNodes(
  look: () => Promise<string | null>,
  { log, signal }: StepContext,
  timer: Timer,
): Promise<void> {
  let said: string | null = null;
  for (let waitedMs = 0; ; ) {
    const missing = await look();
    if (missing === null) return;
    if (missing !== said) log(missing);
    said = missing;
    const pauseMs = pauseAfter(waitedMs);
    await sleep(timer, pauseMs, signal);
    waitedMs += pauseMs;
    signal.throwIfAborted();
  }
}
