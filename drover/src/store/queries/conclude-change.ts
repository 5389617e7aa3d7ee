import type { DeclareCluster, DeclareResult, JobRecord } from "../../ports/store/index.ts";
import type { Tx } from "../session.ts";
import { appendAudit } from "./append-audit.ts";
import { appendEvents } from "./append-events.ts";
import { clusterQuery, toCluster } from "./records.ts";

type Asked = Pick<DeclareCluster, "name" | "actor" | "reason">;

export async function readCluster(tx: Tx, id: string): Promise<DeclareResult["cluster"]> {
  return toCluster(await clusterQuery(tx.db).where("clusters.id", "=", id).executeTakeFirstOrThrow());
}

/** Like `announce`, for a cluster that was written to in more than one place. */
export async function conclude(
  tx: Tx,
  input: Asked,
  change: { outcome: DeclareResult["outcome"]; clusterId: string; job: JobRecord | null; action: string },
): Promise<DeclareResult> {
  const { outcome, clusterId, job, action } = change;
  return await announce(tx, input, action, { outcome, cluster: await readCluster(tx, clusterId), job });
}

/** The event and the audit entry of a change, and its answer. */
export async function announce(tx: Tx, input: Asked, action: string, result: DeclareResult): Promise<DeclareResult> {
  const { cluster, job } = result;
  const facts = {
    generation: cluster.generation,
    version: cluster.version,
    specHash: cluster.specHash,
    jobId: job?.id ?? null,
    reason: input.reason ?? "",
  };
  await appendEvents(tx, [
    {
      kind: action,
      clusterId: cluster.id,
      clusterName: cluster.name,
      ...(job === null ? {} : { jobId: job.id }),
      body: { ...facts, actor: input.actor.name, phase: cluster.phase },
    },
  ]);
  await appendAudit(tx, input.actor, {
    action,
    objectKind: "cluster",
    objectName: input.name,
    body: { ...facts, clusterId: cluster.id, labels: cluster.labels },
  });
  return result;
}
