import { DroverError, type JobKind } from "@drover/contract";
import { isReady } from "../domain/phase.ts";
import { upkeepOf } from "../pipelines/look-after-cluster.ts";
import { planRotation } from "../pipelines/rotate-secrets.ts";
import { type BackupUse, planBackupUse } from "../pipelines/use-backup.ts";
import type { Rotation } from "../ports/provider.ts";
import type { BackupRecord, ClusterRecord, JobRecord, Json } from "../ports/store/index.ts";
import type { App, Request } from "./app.ts";
import { getCluster } from "./change-cluster.ts";

type NamedRequest = Request & { readonly name: string };

/** Puts a backup, or the renewal of certificates, in line. */
export async function requestUpkeep(
  app: App,
  request: NamedRequest & { readonly kind: Extract<JobKind, "backup" | "renew"> },
): Promise<JobRecord> {
  const { name, kind, ...who } = request;
  const cluster = await getCluster(app, name);
  const upkeep = upkeepOf(app.providers.get(cluster.provider), cluster);
  // What cannot be planned is refused here, not once it is its turn.
  if (kind === "backup") upkeep.backUp(cluster);
  else upkeep.renewCertificates(cluster);
  assertReady(cluster);
  return await app.store.desired.requestJob({ ...who, clusterName: name, kind });
}

/** Replaces keys or tokens, with the plan that is kept with the job. */
export async function requestRotation(
  app: App,
  request: NamedRequest & { readonly what: Rotation },
): Promise<JobRecord> {
  const { name, what, ...who } = request;
  const cluster = await getCluster(app, name);
  const { plan, hash } = planRotation(app.providers.get(cluster.provider), cluster, what);
  assertReady(cluster);
  await app.store.desired.savePlan({ hash, body: plan as unknown as Json });
  const reason = who.reason ?? (what === "tokens" ? "Rotation of the tokens." : "Rotation of the encryption key.");
  return await app.store.desired.requestJob({ ...who, reason, clusterName: name, kind: "renew", planHash: hash });
}

function assertReady({ name, phase }: ClusterRecord): void {
  if (isReady(phase)) return;
  throw new DroverError("cluster-not-ready", `The cluster "${name}" is ${phase}.`, { details: { phase } });
}

/** Takes a cluster back to a backup, or proves the backup. The plan that is kept with the job says which one is meant. */
export async function useBackup(app: App, request: NamedRequest & BackupUse): Promise<JobRecord> {
  const { name, action, backup, ...who } = request;
  const cluster = await getCluster(app, name);
  await getBackup(app, cluster, backup);
  const { plan, hash } = planBackupUse(app.providers.get(cluster.provider), cluster, { action, backup });
  await app.store.desired.savePlan({ hash, body: plan as unknown as Json });
  const reason =
    who.reason ?? (action === "drill" ? `Drill of the backup ${backup}.` : `Back to the backup ${backup}.`);
  const kind = action === "drill" ? "backup" : "restore";
  return await app.store.desired.requestJob({ ...who, reason, clusterName: name, kind, planHash: hash });
}

/** Whoever takes a cluster back loses what came after: its name has to be typed. */
export function assertConfirmed(name: string, typed: string): void {
  if (typed === name) return;
  throw new DroverError(
    "consent-required",
    `Everything that was changed in "${name}" since the backup is lost: confirm with its name.`,
  );
}

export async function getBackup(app: App, cluster: ClusterRecord, id: string): Promise<BackupRecord> {
  const backup = await app.store.backups.getBackup(cluster.id, id);
  if (backup !== null) return backup;
  throw new DroverError("backup-not-found", `The cluster "${cluster.name}" has no backup ${id}.`);
}
