import { DroverError, type Role } from "@drover/contract";
import {
  type Actor,
  type ClusterRecord,
  clusterSecretOwner,
  KUBECONFIG_SECRET,
  type KubeconfigRecord,
} from "../ports/store/index.ts";
import { makeSecret } from "./access/secrets.ts";
import type { App } from "./app.ts";
import { type Caller, mayActAs } from "./caller.ts";
import { cannot } from "./request-work.ts";

export interface HandedOut {
  readonly record: KubeconfigRecord;
  /** Shown once. */
  readonly text: string;
}

/** Nobody gets a kubeconfig that may do more than they. The administrator's is the one that a worker has kept. */
export async function createKubeconfig(
  app: App,
  caller: Caller,
  cluster: ClusterRecord,
  { role, lifetimeSeconds }: { readonly role: Role; readonly lifetimeSeconds: number },
): Promise<HandedOut> {
  if (!mayActAs(caller.role, role)) {
    throw new DroverError("forbidden", `A kubeconfig for the role ${role} needs that role; yours is ${caller.role}.`, {
      details: { neededRole: role },
    });
  }
  if (role === "admin") return await handOutAdministrators(app, caller.actor, cluster);
  const provider = app.providers.get(cluster.provider);
  const limited = provider?.limitedKubeconfig?.bind(provider);
  if (limited === undefined) throw cannot(cluster.name, cluster.provider, `kubeconfigs for the role ${role}`);
  const { secret: token, hash } = makeSecret();
  const lifetimeMs = lifetimeSeconds * 1_000;
  const record = await app.store.kubeconfigs.addKubeconfig(caller.actor, {
    ...{ clusterId: cluster.id, clusterName: cluster.name, role, tokenHash: hash, lifetimeMs },
  });
  const expiresAt = record.expiresAt ?? record.createdAt + lifetimeMs;
  return { record, text: limited(cluster, { id: record.id, role, token, expiresAt }) };
}

async function handOutAdministrators(app: App, actor: Actor, cluster: ClusterRecord): Promise<HandedOut> {
  const value = await app.store.secrets.getSecret(clusterSecretOwner(cluster.id), KUBECONFIG_SECRET);
  if (value === null) {
    throw new DroverError(
      "cluster-not-ready",
      `No worker has kept the kubeconfig of the cluster "${cluster.name}" yet; one does at its next thorough look.`,
      { details: { phase: cluster.phase } },
    );
  }
  const record = await app.store.kubeconfigs.addKubeconfig(actor, {
    ...{ clusterId: cluster.id, clusterName: cluster.name, role: "admin", tokenHash: null, lifetimeMs: null },
  });
  return { record, text: Buffer.from(value).toString() };
}

export async function revokeKubeconfig(app: App, actor: Actor, cluster: ClusterRecord, id: string): Promise<void> {
  const of = { clusterId: cluster.id, clusterName: cluster.name };
  const known = (await app.store.kubeconfigs.listKubeconfigs(cluster.id)).find((one) => one.id === id);
  if (known?.role === "admin") {
    // Saying so would be untrue: whoever has it can use it until the certificate in it is replaced.
    throw cannot(
      cluster.name,
      cluster.provider,
      "way to revoke its administrator's kubeconfig; renew its certificates",
    );
  }
  const revoked = known === undefined ? null : await app.store.kubeconfigs.revokeKubeconfig(actor, { ...of, id });
  if (revoked !== null) return;
  throw new DroverError("kubeconfig-not-found", `The cluster "${cluster.name}" has no kubeconfig ${id}.`);
}
