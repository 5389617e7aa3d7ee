import { DroverError } from "@drover/contract";
import { listAt } from "../domain/json-fields.ts";
import { mustLeave, type PodSeen, podSeenOf } from "../domain/kubernetes-pod.ts";
import { KubernetesError } from "../ports/kubernetes-api.ts";
import type { Step, StepContext } from "../ports/step.ts";
import { sleep } from "../ports/timer.ts";
import { inWords } from "./inside/reach-of-step.ts";
import { findNode, type NodeOfStep, type NodeStepParts } from "./node/node-of-step.ts";

/** How long pods have to leave. Whoever guards one with a budget has that long to make room for it elsewhere. */
export const DRAIN_PATIENCE_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const SHOWN = 10;

/**
 * Has all pods leave a node but those that are bound to it, by evictions, which honour disruption budgets. Gives up after
 * a while and names what is in the way. The node has to be cordoned before.
 */
export function drainNode(parts: NodeStepParts): Step {
  return {
    name: "drain-node",
    precheck: async (context) => (await podsToGo(parts, context, await findNode(parts, context))).length === 0,
    run: async (context) => {
      const node = await findNode(parts, context);
      const alone = (await podsToGo(parts, context, node)).filter((pod) => pod.alone);
      if (alone.length > 0 && context.step.input["force"] !== true) throw wouldBeLost(node.name, alone);
      await context.change(context.step.host, `Evict the pods of ${node.name}`, () => evictAll(parts, context, node));
    },
  };
}

async function podsToGo(
  { clock }: NodeStepParts,
  { signal }: StepContext,
  { name, kubernetes, target }: NodeOfStep,
): Promise<readonly PodSeen[]> {
  const query = new URLSearchParams({ fieldSelector: `spec.nodeName=${name}` });
  const list = await inWords(() => kubernetes.get(target, `/api/v1/pods?${query}`, signal));
  return listAt(list, "items")
    .map((pod) => podSeenOf(pod, clock.now()))
    .filter(mustLeave);
}

async function evictAll(parts: NodeStepParts, context: StepContext, node: NodeOfStep): Promise<void> {
  const { clock, timer } = parts;
  const { signal } = context;
  const until = clock.monotonic() + DRAIN_PATIENCE_MS;
  const told = new Set<string>();
  let most = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const pods = await podsToGo(parts, context, node);
    if (pods.length === 0) return;
    most = Math.max(most, pods.length);
    context.progress(Math.floor((100 * (most - pods.length)) / most));
    const blockers = new Map<string, string>();
    for (const pod of pods) {
      const why = pod.leaving ? "it is still shutting down" : await evict(context, node, pod);
      if (why !== null) blockers.set(nameOf(pod), why);
    }
    for (const [pod, why] of blockers) tellOnce(context, told, `${pod}: ${why}`);
    if (clock.monotonic() + pauseMs >= until) throw notDrained(node.name, blockers);
    await sleep(timer, pauseMs, signal);
    signal.throwIfAborted();
  }
}

/** Null when the pod goes or is gone; otherwise what keeps it. */
async function evict(
  context: StepContext,
  { kubernetes, target }: NodeOfStep,
  { namespace, name, uid }: PodSeen,
): Promise<string | null> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/eviction`;
  const eviction = {
    ...{ apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } },
    // Another pod that took the name since is left alone.
    deleteOptions: { preconditions: { uid } },
  };
  try {
    await kubernetes.post(target, path, eviction, context.signal);
    context.log(`${namespace}/${name} was evicted.`);
    return null;
  } catch (error) {
    if (!(error instanceof KubernetesError)) throw error;
    if (error.status === 404 || error.status === 409) return null;
    if (error.status === 429 || error.reason === "unreachable") return error.message;
    return await inWords(() => Promise.reject(error));
  }
}

const nameOf = ({ namespace, name }: PodSeen): string => `${namespace}/${name}`;

function tellOnce(context: StepContext, told: Set<string>, text: string): void {
  if (told.has(text)) return;
  told.add(text);
  context.log(text);
}

function notDrained(node: string, blockers: ReadonlyMap<string, string>): DroverError {
  const named = [...blockers].slice(0, SHOWN).map(([pod, why]) => `${pod} (${why})`);
  const more = blockers.size > SHOWN ? `, and ${blockers.size - SHOWN} more` : "";
  const message = `${node} is cordoned, but not drained after ${DRAIN_PATIENCE_MS / 60_000} minutes: ${named.join(", ")}${more}.`;
  return new DroverError("node-not-drained", message, { details: { pods: [...blockers.keys()] } });
}

function wouldBeLost(node: string, pods: readonly PodSeen[]): DroverError {
  const named = pods.map(nameOf);
  const message = `${node} is cordoned, but not drained: nothing would make these pods again: ${named.slice(0, SHOWN).join(", ")}.`;
  return new DroverError("node-not-drained", message, { details: { pods: named } });
}
