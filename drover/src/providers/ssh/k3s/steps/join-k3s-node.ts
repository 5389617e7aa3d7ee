import { DroverError } from "@drover/contract";
import { KubernetesError } from "../../../../ports/kubernetes-api.ts";
import type { Step, StepContext } from "../../../../ports/step.ts";
import { sleep } from "../../../../ports/timer.ts";
import { endpointOf } from "../../declared.ts";
import { forgetNode } from "../../forget-node.ts";
import type { SshHost } from "../../host.ts";
import { findMember } from "../../steps/join-ssh-node.ts";
import { hasReached } from "../../steps/member.ts";
import { runScript } from "../../steps/on-machine.ts";
import { unitOf } from "../k3s-paths.ts";
import { readNodeToken } from "../k3s-token.ts";
import { becomeK3sMember, beginUnit, clearK3sAttempt, isServerStep } from "../k3s-unit.ts";
import { TELL_COMPLAINTS } from "../scripts/start-k3s.ts";

const PAUSE_MS = 500;
/** How long a node may take to show itself after its start. */
const ROUNDS = 240;

/** A machine becomes a server or an agent. The token goes from a server to it, and nowhere else. */
export function joinK3sNode(host: SshHost): Step {
  return {
    name: "join-k3s-node",
    precheck: (context) => hasReached(context, "member"),
    run: (context) => {
      const { step, cluster } = context;
      return context.change(step.host, `Let ${step.host} join ${cluster.name}`, () => join(host, context));
    },
  };
}

async function join(host: SshHost, context: StepContext): Promise<void> {
  // Before it is stopped: an attempt that came far counts in the database, which may need it to decide on its removal.
  await forgetNode(host, context, context.step.host);
  await clearK3sAttempt(context);
  // It may have shown itself once more, with a password that is gone now.
  await forgetNode(host, context, context.step.host);
  const token = await readNodeToken(context, await findMember(host, context));
  await beginUnit(context, token, `https://${endpointOf(context.cluster.spec)}`);
  await waitForNode(host, context);
  await becomeK3sMember(context);
}

/** An agent's unit counts as started long before it is a node, and also when it never becomes one. */
async function waitForNode(host: SshHost, context: StepContext): Promise<void> {
  const { cluster, step, signal } = context;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await isNode(host, context)) return;
    await sleep(host.parts.timer, PAUSE_MS, signal);
    signal.throwIfAborted();
  }
  const said = await runScript(context, TELL_COMPLAINTS, unitOf(isServerStep(context)));
  const why = said.trim().split("\n").join(" ");
  throw new DroverError("step-failed", `k3s runs on ${step.host}, but it is no node of ${cluster.name} yet. ${why}`);
}

async function isNode(host: SshHost, { cluster, step, signal }: StepContext): Promise<boolean> {
  const target = await host.target(cluster, signal);
  if (target === null) return false;
  try {
    return (await host.parts.kubernetes.get(target, `/api/v1/nodes/${step.host}`, signal)) !== null;
  } catch (error) {
    if (error instanceof KubernetesError) return false;
    throw error;
  }
}
