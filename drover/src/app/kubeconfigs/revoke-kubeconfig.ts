import { DroverError } from "@drover/contract";
import { isReady } from "../../domain/phase.ts";
import { planRevocation } from "../../pipelines/change-access.ts";
import type { Actor, ClusterRecord } from "../../ports/store/index.ts";
import type { App } from "../app.ts";
import { cannot } from "../request-work.ts";
import { runAccessJob } from "./run-access-job.ts";

/** Resolves only when the kubeconfig is of no use any more. */
export async function revokeKubeconfig(
  app: App,
  actor: Actor,
  cluster: ClusterRecord,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal },
): Promise<void> {
  const known = (await app.store.kubeconfigs.listKubeconfigs(cluster.id)).find((one) => one.id === id);
  if (known === undefined) {
    throw new DroverError("kubeconfig-not-found", `The cluster "${cluster.name}" has no kubeconfig ${id}.`);
  }
  if (known.role === "admin") {
    // Saying so would be untrue: whoever has it can use it until the certificate in it is replaced.
    throw cannot(
      cluster.name,
      cluster.provider,
      "way to revoke its administrator's kubeconfig; renew its certificates",
    );
  }
  if (known.revokedAt !== null) return;
  const provider = app.providers.get(cluster.provider);
  if (provider?.limitedKubeconfig !== undefined) {
    await app.store.kubeconfigs.revokeKubeconfig(actor, { id, clusterId: cluster.id, clusterName: cluster.name });
    return;
  }
  await shutOut(app, actor, cluster, { id, signal });
}

async function shutOut(
  app: App,
  actor: Actor,
  cluster: ClusterRecord,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal },
): Promise<void> {
  if (cluster.spec.imported?.locked === true) {
    throw new DroverError("cluster-locked", `The cluster "${cluster.name}" is only observed.`);
  }
  if (!isReady(cluster.phase)) {
    throw new DroverError("cluster-not-ready", `The cluster "${cluster.name}" is ${cluster.phase}.`, {
      details: { phase: cluster.phase },
    });
  }
  const made = planRevocation(cluster, { id, by: { type: actor.type, name: actor.name } });
  const reason = `Revokes the kubeconfig ${id}.`;
  await runAccessJob(app, cluster, { kind: "revoke", made }, { actor, reason, signal });
}
