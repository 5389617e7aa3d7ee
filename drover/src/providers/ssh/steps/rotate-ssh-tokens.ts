import { listAt, textAt } from "../../../domain/json-fields.ts";
import type { KubernetesTarget } from "../../../ports/kubernetes-api.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import type { SshHost } from "../host.ts";
import { requireTarget } from "./label-ssh-nodes.ts";

const SECRETS = "/api/v1/namespaces/kube-system/secrets";
const TOKENS = `${SECRETS}?fieldSelector=${encodeURIComponent("type=bootstrap.kubernetes.io/token")}`;
/** The authorities of the cluster, as kubeadm puts them there for a control plane that joins. */
const SHARED = "kubeadm-certs";

/** Takes everything away by which a machine could join: each join makes its own anew. */
export function rotateSshTokens(host: SshHost): Step {
  return {
    name: "rotate-ssh-tokens",
    light: true,
    precheck: async (context) => (await findOld(host, context, await requireTarget(host, context))).length === 0,
    run: (context) => {
      const text = `Remove all bootstrap tokens of ${context.cluster.name}, and what was shared for joins`;
      return context.change(context.step.host, text, async () => {
        const target = await requireTarget(host, context);
        const names = await findOld(host, context, target);
        for (const name of names) await host.parts.kubernetes.delete(target, `${SECRETS}/${name}`, context.signal);
        context.log(`${names.length} removed; nothing that was handed out before lets a machine join.`);
      });
    },
  };
}

async function findOld(host: SshHost, { signal }: StepContext, target: KubernetesTarget): Promise<readonly string[]> {
  const { kubernetes } = host.parts;
  const tokens = listAt(await kubernetes.get(target, TOKENS, signal), "items");
  const shared = await kubernetes.get(target, `${SECRETS}/${SHARED}`, signal);
  const names = tokens.flatMap((token) => textAt(token, "metadata", "name") ?? []);
  return [...names, ...(shared === null ? [] : [SHARED])];
}
