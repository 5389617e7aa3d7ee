import type { Labels } from "../../ports/store/index.ts";
import type { Tx } from "../session.ts";

/** The labels once more, row by row, for selectors. */
export async function setLabels(tx: Tx, clusterId: string, labels: Labels): Promise<void> {
  await tx.db.deleteFrom("cluster_labels").where("cluster_id", "=", clusterId).execute();
  await insertLabels(tx, clusterId, labels);
}

/** For a cluster that has none yet. */
export async function insertLabels(tx: Tx, clusterId: string, labels: Labels): Promise<void> {
  const rows = Object.entries(labels).map(([key, value]) => ({ cluster_id: clusterId, key, value }));
  if (rows.length > 0) await tx.db.insertInto("cluster_labels").values(rows).execute();
}
