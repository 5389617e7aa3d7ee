import { DroverError, type Role } from "@drover/contract";
import { textAt } from "../../domain/json-fields.ts";
import type { Plan } from "../../domain/plan.ts";
import { newId } from "../../lib/ids.ts";
import { planGrant } from "../../pipelines/change-access.ts";
import type { Provider } from "../../ports/provider.ts";
import {
  type Actor,
  type ClusterRecord,
  clusterSecretOwner,
  KUBECONFIG_SECRET,
  type KubeconfigRecord,
  waitingKubeconfig,
} from "../../ports/store/index.ts";
import type { Grant, LimitedRole } from "../../steps/index.ts";
import { makeSecret } from "../access/secrets.ts";
import type { App, Request } from "../app.ts";
import { type Caller, mayActAs } from "../caller.ts";
import { cannot } from "../request-work.ts";
import { runAccessJob } from "./run-access-job.ts";

export interface HandedOut {
  readonly record: KubeconfigRecord;
  /** Shown once. */
  readonly text: string;
}

export interface KubeconfigWish extends Pick<Request, "idempotency"> {
  readonly role: Role;
  readonly lifetimeSeconds: number;
  /** Fires when nobody waits any more. */
  readonly signal: AbortSignal;
}

/**
 * Nobody gets a kubeconfig that may do more than they. The administrator's is the one that a worker has kept; others are
 * made by a worker, inside the cluster, or by a provider that can do so with text alone.
 */
export async function createKubeconfig(
  app: App,
  caller: Caller,
  cluster: ClusterRecord,
  wish: KubeconfigWish,
): Promise<HandedOut> {
  const { role } = wish;
  if (!mayActAs(caller.role, role)) {
    throw new DroverError("forbidden", `A kubeconfig for the role ${role} needs that role; yours is ${caller.role}.`, {
      details: { neededRole: role },
    });
  }
  if (role === "admin") return await handOutAdministrators(app, caller.actor, cluster);
  const provider = app.providers.get(cluster.provider);
  if (provider === undefined) throw cannot(cluster.name, cluster.provider, `kubeconfigs for the role ${role}`);
  if (provider.limitedKubeconfig !== undefined) return await writeLimited(app, caller.actor, cluster, provider, wish);
  return await haveOneMade(app, caller.actor, cluster, { ...wish, role });
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

async function writeLimited(
  app: App,
  actor: Actor,
  cluster: ClusterRecord,
  provider: Provider,
  { role, lifetimeSeconds }: KubeconfigWish,
): Promise<HandedOut> {
  const { secret: token, hash } = makeSecret();
  const lifetimeMs = lifetimeSeconds * 1_000;
  const record = await app.store.kubeconfigs.addKubeconfig(actor, {
    ...{ clusterId: cluster.id, clusterName: cluster.name, role, tokenHash: hash, lifetimeMs },
  });
  const expiresAt = record.expiresAt ?? record.createdAt + lifetimeMs;
  const text = provider.limitedKubeconfig?.(cluster, { id: record.id, role, token, expiresAt }) ?? "";
  return { record, text };
}

async function haveOneMade(
  app: App,
  actor: Actor,
  cluster: ClusterRecord,
  wish: KubeconfigWish & { readonly role: LimitedRole },
): Promise<HandedOut> {
  if (cluster.spec.imported?.locked === true) {
    throw new DroverError("cluster-locked", `The cluster "${cluster.name}" is only observed.`);
  }
  const { role, lifetimeSeconds, ...request } = wish;
  const by = { type: actor.type, name: actor.name };
  const grant: Grant = { id: newId(await app.store.observations.readTime()), role, lifetimeSeconds, by };
  const work = { kind: "grant", made: planGrant(cluster, grant) } as const;
  const reason = `A kubeconfig for the role ${role}.`;
  const { planHash } = await runAccessJob(app, cluster, work, { ...request, actor, reason });
  return await fetchMade(app, cluster, await readGrantId(app, planHash));
}

/** The plan knows which one it made: who asks again with the same Idempotency-Key means the first. */
async function readGrantId(app: App, planHash: string | null): Promise<string> {
  const plan = planHash === null ? null : ((await app.store.read.getPlan(planHash)) as unknown as Plan | null);
  return textAt(plan?.steps[0]?.input, "id") ?? "";
}

async function fetchMade(app: App, cluster: ClusterRecord, id: string): Promise<HandedOut> {
  const record = (await app.store.kubeconfigs.listKubeconfigs(cluster.id)).find((one) => one.id === id);
  const text = await app.store.secrets.getSecret(clusterSecretOwner(cluster.id), waitingKubeconfig(id));
  if (record !== undefined && text !== null) return { record, text: Buffer.from(text).toString() };
  throw new DroverError(
    "kubeconfig-handed-out",
    `The kubeconfig ${id} of the cluster "${cluster.name}" is not kept any more.`,
  );
}

/** For a kubeconfig that was sent to whoever asked for it: its text waits for nobody any more. */
export async function forgetText(app: App, actor: Actor, { id, clusterId }: KubeconfigRecord): Promise<void> {
  await app.store.secrets.deleteSecret(actor, clusterSecretOwner(clusterId), waitingKubeconfig(id));
}
