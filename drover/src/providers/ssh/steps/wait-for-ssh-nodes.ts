import { DroverError } from "@drover/contract";
import { waitForNodes } from "../../../containers/wait-for-nodes.ts";
import { textAt } from "../../../domain/json-fields.ts";
import { isCommandError } from "../../../lib/command-error.ts";
import { KubernetesError } from "../../../ports/kubernetes-api.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { sleep } from "../../../ports/timer.ts";
import { isK3s, sshPart } from "../declared.ts";
import { findOtherMember, judgeMembers, listMembers } from "../etcd/members.ts";
import type { SshHost } from "../host.ts";

const PAUSE_MS = 2_000;
const ROUNDS = 60;

/** Until every declared node has joined, and is ready where there is a pod network; and the name service runs. */
export function waitForSshNodes(host: SshHost): Step {
  return {
    name: "wait-for-ssh-nodes",
    light: true,
    precheck: async (context) =>
      (await (isBefore(context) ? findUnwell(host, context) : findMissing(host, context))) === null,
    run: (context) => {
      if (isBefore(context)) {
        const text = `See that all control planes of ${context.cluster.name} are well`;
        return context.change(context.step.host, text, () => assertWell(host, context));
      }
      const text = `Wait until all nodes of ${context.cluster.name} are ready`;
      return context.change(context.step.host, text, () =>
        waitForNodes(() => findMissing(host, context), context, host.parts.timer),
      );
    },
  };
}

const isBefore = ({ step }: StepContext): boolean => step.input["before"] !== undefined;

/** One that is only about to come back is given a while; whatever is wrong then is for somebody else to mend. */
async function assertWell(host: SshHost, context: StepContext): Promise<void> {
  let unwell: string | null = null;
  for (let round = 0; round < ROUNDS; round += 1) {
    unwell = await findUnwell(host, context);
    if (unwell === null) return;
    await sleep(host.parts.timer, PAUSE_MS, context.signal);
    context.signal.throwIfAborted();
  }
  throw new DroverError(
    "cluster-not-ready",
    `${unwell} Nothing was stopped for ${textAt(context.step.input, "before")}: mend that, or remove the node from the cluster, then try again.`,
  );
}

/** Nodes that are closed or of another version are as an upgrade that was cut off leaves them, and are well. */
async function findUnwell(host: SshHost, context: StepContext): Promise<string | null> {
  const { cluster, signal, step } = context;
  const isSilenceWell = step.input["orSilent"] === true;
  const wanted = step.input["nodes"] as readonly string[];
  try {
    const target = await host.target(cluster, signal);
    if (target === null) return isSilenceWell ? null : "No control plane answers.";
    const { ready, nodes } = await host.parts.kubernetes.look(target, { thorough: true, signal });
    if (!ready) return isSilenceWell ? null : "The API of the cluster is not ready.";
    const unready = nodes.flatMap(({ name, status }) =>
      wanted.includes(name) && (status === "NotReady" || status === "Unknown") ? [name] : [],
    );
    if (cluster.spec.networking?.cni.type !== "none" && unready.length > 0) {
      return `${unready.join(", ")} of ${cluster.name} ${unready.length === 1 ? "is" : "are"} not ready.`;
    }
    return isK3s(cluster.spec) ? null : await findUnwellMembers(host, context);
  } catch (error) {
    if (error instanceof KubernetesError) return isSilenceWell ? null : error.message;
    throw error;
  }
}

async function findUnwellMembers(host: SshHost, context: StepContext): Promise<string | null> {
  const speaker = await findOtherMember(host, context, "");
  if (speaker === null) return "No member of etcd can be asked.";
  try {
    const members = await judgeMembers(speaker, context, await listMembers(speaker, context));
    const unwell = members.filter(({ healthy }) => healthy !== true).map(({ name }) => name);
    return unwell.length === 0 ? null : `etcd is not healthy on ${unwell.join(", ")}.`;
  } catch (error) {
    // A cluster from before etcdctl was among its programs gets it with the upgrade.
    if (isCommandError(error, "not-found") || (isCommandError(error, "failed") && error.exitCode === 127)) return null;
    if (isCommandError(error, "failed") || isCommandError(error, "timed-out")) {
      return `etcd does not answer: ${error.message}`;
    }
    throw error;
  }
}

async function findMissing(host: SshHost, { cluster, signal, step }: StepContext): Promise<string | null> {
  const target = await host.target(cluster, signal);
  if (target === null) return "No control plane answers yet.";
  const wanted =
    (step.input["nodes"] as readonly string[] | undefined) ?? sshPart(cluster.spec).nodes.map(({ name }) => name);
  const needsReady = cluster.spec.networking?.cni.type !== "none";
  const isGate = step.input["nodes"] !== undefined;
  const needsPods = needsReady && !(isGate && sshPart(cluster.spec).upgrade.gate === "nodes");
  try {
    const { ready, nodes, unwellPods } = await host.parts.kubernetes.look(target, { thorough: true, signal });
    if (!ready) return "The API of the cluster is not ready yet.";
    const absent = wanted.filter((name) => !nodes.some((node) => node.name === name));
    if (absent.length > 0) return `Not joined yet: ${absent.join(", ")}.`;
    const unready = nodes.filter(
      ({ name, status }) => wanted.includes(name) && (status === "NotReady" || status === "Unknown"),
    );
    if (needsReady && unready.length > 0) return `Not ready yet: ${unready.map(({ name }) => name).join(", ")}.`;
    return needsPods && unwellPods.length > 0 ? `Not running yet: ${unwellPods.join(", ")}.` : null;
  } catch (error) {
    if (error instanceof KubernetesError) return error.message;
    throw error;
  }
}
