import { clusterSecretOwner, type JobRef } from "../../ports/store/index.ts";
import type { KeyRing } from "../secrets/key-ring.ts";
import type { Session } from "../session.ts";
import { assertHolder } from "./hold-jobs.ts";
import { putWithin } from "./secrets.ts";

/** A secret of the cluster whose job is held; the entry in the audit log names the worker and no value. */
export async function keepSecret(
  session: Session,
  keys: KeyRing,
  ref: JobRef,
  { name, value }: { readonly name: string; readonly value: Uint8Array },
): Promise<void> {
  await session.write(async (tx) => {
    const { cluster_id: clusterId } = await assertHolder(tx, ref);
    const { worker_id: worker } = await tx.db
      .selectFrom("jobs")
      .select("worker_id")
      .where("id", "=", ref.jobId)
      .executeTakeFirstOrThrow();
    const secret = { owner: clusterSecretOwner(clusterId), name, value };
    await putWithin(session, tx, keys, { type: "worker", name: worker ?? "" }, secret);
  });
}
