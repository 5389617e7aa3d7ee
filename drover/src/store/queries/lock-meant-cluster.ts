import { DroverError } from "@drover/contract";
import type { ClusterRow } from "../database.ts";
import type { Tx } from "../session.ts";
import { notFound } from "./declare-cluster.ts";
import { lockCluster } from "./lock-cluster.ts";

/** The living cluster of a name, locked; refused where it is not the one that was meant. */
export async function lockMeantCluster(tx: Tx, name: string, clusterId: string | undefined): Promise<ClusterRow> {
  const cluster = await lockCluster(tx, name);
  if (cluster === undefined) throw notFound(name);
  if (clusterId === undefined || clusterId === cluster.id) return cluster;
  throw new DroverError(
    "cluster-not-found",
    `The cluster "${name}" that was meant is gone; the one of that name is another.`,
  );
}
