import { listAt, textAt } from "../../../domain/json-fields.ts";
import { KubernetesError } from "../../../ports/kubernetes-api.ts";
import type { StepContext } from "../../../ports/step.ts";
import { SYSTEM } from "../clear-away.ts";
import { parseNodeName } from "../declared.ts";
import type { K3dHost } from "../host.ts";

/** Nodes whose container is gone never come back under that name; a cluster that does not answer is asked another time. */
export async function forgetLostNodes(host: K3dHost, context: StepContext): Promise<void> {
  const { cluster, signal, log, ledger } = context;
  const { kubernetes } = host.parts;
  const seen = await host.see(cluster, signal);
  const target = await host.target(cluster, seen, signal);
  const standing = new Set([...seen.servers, ...seen.agents].map(({ container }) => container.name));
  for (const { id, system, kind, ref } of await ledger.list()) {
    if (system === SYSTEM && kind === "node" && !standing.has(ref)) await ledger.gone(id);
  }
  if (target === null) return;
  try {
    for (const node of listAt(await kubernetes.get(target, "/api/v1/nodes", signal), "items")) {
      const name = textAt(node, "metadata", "name");
      if (name === null || standing.has(name) || parseNodeName(cluster.name, name) === null) continue;
      log(`Having the cluster forget ${name}, whose container is gone.`);
      await kubernetes.delete(target, `/api/v1/nodes/${name}`, signal);
    }
  } catch (error) {
    if (!(error instanceof KubernetesError)) throw error;
  }
}
