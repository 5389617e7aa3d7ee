import { emptyNode } from "../../containers/empty-node.ts";
import { fieldsAt, listAt, textAt } from "../../domain/json-fields.ts";
import { KubernetesError, type KubernetesTarget } from "../../ports/kubernetes-api.ts";
import type { StepContext } from "../../ports/step.ts";
import { sleep } from "../../ports/timer.ts";
import type { SshHost } from "./host.ts";
import { VERSION_NOTE } from "./machine-paths.ts";
import { requireTarget } from "./steps/label-ssh-nodes.ts";
import { machineOf, putText, versionOfStep } from "./steps/on-machine.ts";
import { drainPatienceOf } from "./upgrade-settings.ts";
import { whileReachable } from "./while-reachable.ts";

/** Who cordoned a node: only what we closed is opened again. */
const CORDONED = "drover.dev/cordoned";
const PAUSE_MS = 1_000;

const pathOf = ({ step }: StepContext): string => `/api/v1/nodes/${step.host}`;

/** Whether the node runs the version of the step, and is open again. */
export async function isReplaced(host: SshHost, context: StepContext): Promise<boolean> {
  const target = await host.target(context.cluster, context.signal);
  if (target === null) return false;
  const node = await host.parts.kubernetes.get(target, pathOf(context), context.signal);
  return isReadyWith(node, versionOfStep(context)) && textAt(node, "metadata", "annotations", CORDONED) === null;
}

function isReadyWith(node: unknown, version: string | null): boolean {
  const ready = listAt(node, "status", "conditions").find(({ type }) => type === "Ready");
  if (ready?.["status"] !== "True") return false;
  return version === null || textAt(node, "status", "nodeInfo", "kubeletVersion") === version;
}

/** Closes a node, has its pods leave, has its programs replaced, and opens it once it is ready with the new version. */
export async function replaceOnEmptyNode(
  host: SshHost,
  context: StepContext,
  replace: () => Promise<void>,
): Promise<void> {
  const { signal, cluster, step } = context;
  const target = await requireTarget(host, context);
  await patiently(host, context, async () => {
    const node = await host.parts.kubernetes.get(target, pathOf(context), signal);
    if (fieldsAt(node, "spec")["unschedulable"] === true) return;
    const body = { metadata: { annotations: { [CORDONED]: "upgrade" } }, spec: { unschedulable: true } };
    await host.parts.kubernetes.patch(target, pathOf(context), body, { signal });
  });
  const parts = { ...host.parts, patienceMs: drainPatienceOf(cluster.spec) };
  await whileReachable(host.parts.timer, context, (within) =>
    patiently(host, within, () => emptyNode(parts, within, target, step.host)),
  );
  await replace();
  await putText(await machineOf(context), VERSION_NOTE, versionOfStep(context));
  context.log("It runs anew; waiting until the node is ready.");
  // Its administrator's kubeconfig may have been made anew with it.
  const current = await requireTarget(host, context);
  await whileReachable(host.parts.timer, context, (within) =>
    waitUntilReady(host, within, current, versionOfStep(context)),
  );
  await patiently(host, context, () => open(host, context, current));
}

/** With that version, or with whichever when it is null. */
export async function waitUntilReady(
  host: SshHost,
  context: StepContext,
  target: KubernetesTarget,
  version: string | null,
): Promise<void> {
  const { signal } = context;
  for (;;) {
    const node = await host.parts.kubernetes.get(target, pathOf(context), signal).catch((error: unknown) => {
      if (error instanceof KubernetesError) return null;
      throw error;
    });
    if (isReadyWith(node, version)) return;
    await sleep(host.parts.timer, PAUSE_MS, signal);
    signal.throwIfAborted();
  }
}

async function open(host: SshHost, context: StepContext, target: KubernetesTarget): Promise<void> {
  const { signal } = context;
  const node = await host.parts.kubernetes.get(target, pathOf(context), signal);
  if (textAt(node, "metadata", "annotations", CORDONED) === null) return;
  const body = { metadata: { annotations: { [CORDONED]: null } }, spec: { unschedulable: null } };
  await host.parts.kubernetes.patch(target, pathOf(context), body, { signal });
}

/**
 * With one control plane the API is away for some seconds while its own components change, and right after it is back it
 * does not know yet who may do what.
 */
async function patiently(host: SshHost, { signal }: StepContext, ask: () => Promise<void>): Promise<void> {
  for (let round = 0; ; round += 1) {
    try {
      return await ask();
    } catch (error) {
      const status = error instanceof KubernetesError ? (error.status ?? 0) : 0;
      const isSilent = error instanceof KubernetesError && error.reason === "unreachable";
      const isAway = isSilent || status === 403 || status >= 500;
      if (!isAway || round === 60) throw error;
    }
    await sleep(host.parts.timer, PAUSE_MS, signal);
    signal.throwIfAborted();
  }
}
