import { waitForNodes } from "../../../containers/wait-for-nodes.ts";
import { KubernetesError } from "../../../ports/kubernetes-api.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { sshPart } from "../declared.ts";
import type { SshHost } from "../host.ts";

/** Until every declared node has joined, and is ready where there is a pod network; and the name service runs. */
export function waitForSshNodes(host: SshHost): Step {
  return {
    name: "wait-for-ssh-nodes",
    light: true,
    precheck: async (context) => (await findMissing(host, context)) === null,
    run: (context) => {
      const text = `Wait until all nodes of ${context.cluster.name} are ready`;
      return context.change(context.step.host, text, () =>
        waitForNodes(() => findMissing(host, context), context, host.parts.timer),
      );
    },
  };
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
