import { type ClusterSpec, DroverError } from "@drover/contract";
import { specHash } from "../../domain/canonical.ts";
import { newId } from "../../lib/ids.ts";
import { sha256 } from "../../lib/sha256.ts";
import type { DeclareResult, DeleteCluster, JobRecord } from "../../ports/store/index.ts";
import type { ClusterRow } from "../database.ts";
import type { Session, Tx } from "../session.ts";
import { conclude, readCluster } from "./conclude-change.ts";
import { insertRevision, versionConflict } from "./declare-cluster.ts";
import { cancelWaitingJob, ENDING_PRIORITY, findLiveJob, insertJob } from "./enqueue-job.ts";
import { onlyOnce } from "./idempotency.ts";
import { lockMeantCluster } from "./lock-meant-cluster.ts";
import { jobQuery, toJob } from "./records.ts";
import { refreshPhases } from "./refresh-phases.ts";

export async function deleteCluster(session: Session, input: DeleteCluster): Promise<DeclareResult> {
  return await session.write((tx) =>
    onlyOnce(tx, input.actor, input.idempotency, async () => {
      const cluster = await lockMeantCluster(tx, input.name, input.clusterId);
      if (input.expectedVersion !== undefined && input.expectedVersion !== cluster.version) {
        throw versionConflict(cluster, input.expectedVersion);
      }
      if (cluster.protected === 1) {
        throw new DroverError("cluster-protected", `The cluster "${input.name}" is protected against deletion.`);
      }
      const live = await findLiveJob(tx, cluster.id);
      if (live?.kind === "delete" && input.releaseLeftovers === true && live.release_leftovers === 0) {
        await allowLeftovers(tx, live.id);
        const job = toJob(await jobQuery(tx.db).where("jobs.id", "=", live.id).executeTakeFirstOrThrow());
        return await conclude(tx, input, { outcome: "updated", clusterId: cluster.id, job, action: "cluster.release" });
      }
      if (live?.kind === "delete") {
        const job = toJob(await jobQuery(tx.db).where("jobs.id", "=", live.id).executeTakeFirstOrThrow());
        return { outcome: "unchanged", cluster: await readCluster(tx, cluster.id), job };
      }
      const generation =
        cluster.desired_state === "absent" ? cluster.generation : await declareAbsent(tx, input, cluster);
      const job = await supersede(session, tx, input, cluster, generation);
      await refreshPhases(tx, [cluster.id]);
      return await conclude(tx, input, { outcome: "updated", clusterId: cluster.id, job, action: "cluster.delete" });
    }),
  );
}

async function declareAbsent(tx: Tx, input: DeleteCluster, cluster: ClusterRow): Promise<number> {
  const current = await tx.db
    .selectFrom("revisions")
    .select("spec")
    .where("cluster_id", "=", cluster.id)
    .where("generation", "=", cluster.generation)
    .executeTakeFirstOrThrow();
  const spec: ClusterSpec = { ...(JSON.parse(current.spec) as ClusterSpec), desiredState: "absent" };
  const generation = cluster.generation + 1;
  await insertRevision(tx, cluster.id, generation, { ...input, spec });
  await tx.db
    .updateTable("clusters")
    .set({
      desired_state: "absent",
      generation,
      version: cluster.version + 1,
      spec_hash: specHash(spec, sha256),
      updated_at: tx.dialect.now(),
    })
    .where("id", "=", cluster.id)
    .execute();
  return generation;
}

/** A deletion that waits for its next attempt need not wait any more: that attempt will be its last. */
async function allowLeftovers(tx: Tx, jobId: string): Promise<void> {
  await tx.db
    .updateTable("jobs")
    .set((eb) => ({
      release_leftovers: 1,
      run_at: eb.case().when("state", "=", "Pending").then(tx.dialect.now()).else(eb.ref("run_at")).end(),
    }))
    .where("id", "=", jobId)
    .execute();
  tx.wake("jobs");
}

/** Whatever waits ends at once; whatever runs is asked to stop, and the deletion begins when it has. */
async function supersede(
  session: Session,
  tx: Tx,
  input: DeleteCluster,
  cluster: ClusterRow,
  generation: number,
): Promise<JobRecord> {
  const id = newId(session.clock.now());
  const others = await tx.db
    .selectFrom("jobs")
    .select(["id", "state"])
    .where("cluster_id", "=", cluster.id)
    .where("state", "in", ["Pending", "Processing"])
    .execute();
  for (const other of others) {
    if (other.state === "Pending") {
      await cancelWaitingJob(tx, other.id, { actor: input.actor, supersededBy: id });
      continue;
    }
    await tx.db
      .updateTable("jobs")
      .set((eb) => ({
        superseded_by: id,
        cancel_requested_at: eb.fn.coalesce("cancel_requested_at", tx.dialect.now()),
        cancel_requested_by: eb.fn.coalesce("cancel_requested_by", eb.val(input.actor.name)),
      }))
      .where("id", "=", other.id)
      .execute();
  }
  const { actor, reason = "", releaseLeftovers = false } = input;
  return await insertJob(
    session,
    tx,
    cluster,
    { kind: "delete", generation, planHash: null, priority: ENDING_PRIORITY, releaseLeftovers, actor, reason },
    id,
  );
}
