import { type ClusterSpec, claimedPorts, DroverError } from "@drover/contract";
import {
  type Allocation,
  type AllocationWish,
  chooseAllocation,
  HOST_SHARERS,
  type Taken,
} from "../../domain/allocation.ts";
import type { JobRef, ReserveFrom } from "../../ports/store/index.ts";
import type { AllocationRow } from "../database.ts";
import type { Db, Session, Tx } from "../session.ts";
import { assertHolder } from "./hold-jobs.ts";
import { clusterQuery } from "./records.ts";

export async function reserveAllocation(
  session: Session,
  ref: JobRef,
  wish: AllocationWish,
  from: ReserveFrom,
): Promise<Allocation> {
  return await session.write(async (tx) => {
    const { cluster_id: clusterId } = await assertHolder(tx, ref);
    const { host, spec } = await clusterQuery(tx.db).where("clusters.id", "=", clusterId).executeTakeFirstOrThrow();
    if (host === null) throw new Error(`The cluster ${clusterId} lives on no host: there is nothing to choose from.`);
    await beAloneOn(tx, host);
    const known = await findAllocation(tx.db, clusterId, wish.slot);
    if (known !== undefined && isStillGood(known, { host, wish, from })) return toAllocation(known);
    const taken = await readTaken(tx.db, host, JSON.parse(spec) as ClusterSpec);
    const choice = chooseAllocation(wish, from.pools, withExcept(taken, wish, from.except));
    if (!choice.ok) throw new DroverError("allocation-exhausted", choice.message, { details: { host } });
    const row: Omit<AllocationRow, "created_at"> = {
      ...{ cluster_id: clusterId, slot: wish.slot, host, kind: wish.kind, value: choice.value },
      protocol: wish.kind === "port" ? wish.protocol : "",
      container_port: wish.kind === "port" ? wish.containerPort : null,
    };
    await tx.db
      .insertInto("allocations")
      .values({ ...row, created_at: tx.dialect.now() })
      .onConflict((conflict) => conflict.columns(["cluster_id", "slot"]).doUpdateSet(row))
      .execute();
    return toAllocation(row);
  });
}

export async function keepAllocations(session: Session, ref: JobRef, slots: readonly string[]): Promise<void> {
  await session.write(async (tx) => {
    const { cluster_id: clusterId } = await assertHolder(tx, ref);
    let unused = tx.db.deleteFrom("allocations").where("cluster_id", "=", clusterId);
    if (slots.length > 0) unused = unused.where("slot", "not in", slots);
    await unused.execute();
  });
}

export async function readAllocations(
  db: Db,
  clusterIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Allocation[]>> {
  if (clusterIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("allocations")
    .selectAll()
    .where("cluster_id", "in", clusterIds)
    .orderBy("slot")
    .execute();
  const found = new Map<string, Allocation[]>();
  for (const row of rows) found.set(row.cluster_id, [...(found.get(row.cluster_id) ?? []), toAllocation(row)]);
  return found;
}

/** Two who choose on one host wait for each other here, and the second sees what the first has chosen. */
async function beAloneOn(tx: Tx, host: string): Promise<void> {
  await tx.db
    .insertInto("allocation_hosts")
    .values({ host, choices: 1 })
    .onConflict((conflict) =>
      conflict.column("host").doUpdateSet((eb) => ({ choices: eb("allocation_hosts.choices", "+", 1) })),
    )
    .execute();
}

const findAllocation = (db: Db, clusterId: string, slot: string): Promise<AllocationRow | undefined> =>
  db
    .selectFrom("allocations")
    .selectAll()
    .where("cluster_id", "=", clusterId)
    .where("slot", "=", slot)
    .executeTakeFirst();

const isStillGood = (
  row: AllocationRow,
  { host, wish, from }: { host: string; wish: AllocationWish; from: ReserveFrom },
): boolean => row.host === host && row.kind === wish.kind && !from.except.includes(row.value);

/** What clusters on the host have, by choice or by their specs; also those that may yet come to live there. */
async function readTaken(db: Db, host: string, own: ClusterSpec): Promise<Taken> {
  const chosen = await db.selectFrom("allocations").selectAll().where("host", "=", host).execute();
  const others = await clusterQuery(db)
    .where("clusters.deleted_at", "is", null)
    .where("clusters.provider", "in", HOST_SHARERS)
    .where((eb) => eb.or([eb("clusters.host", "=", host), eb("clusters.host", "is", null)]))
    .execute();
  const specs = others.map(({ spec }) => JSON.parse(spec) as ClusterSpec);
  const ofOwn = [own.networking?.podSubnet, own.networking?.serviceSubnet];
  return {
    ports: [
      ...chosen.filter(isKind("port")).map(({ value, protocol }) => ({ port: Number(value), protocol })),
      ...specs.flatMap((spec) => claimedPorts({ spec })),
    ],
    subnets: [
      ...chosen.filter(isKind("subnet")).map(({ value }) => value),
      ...[...specs.map(({ k3d }) => k3d?.subnet), ...ofOwn].filter((subnet) => subnet !== undefined),
    ],
  };
}

const isKind =
  (kind: AllocationWish["kind"]) =>
  (row: AllocationRow): boolean =>
    row.kind === kind;

function withExcept(taken: Taken, wish: AllocationWish, except: readonly string[]): Taken {
  if (wish.kind === "subnet") return { ...taken, subnets: [...taken.subnets, ...except] };
  const { protocol } = wish;
  return { ...taken, ports: [...taken.ports, ...except.map((value) => ({ port: Number(value), protocol }))] };
}

const toAllocation = ({ slot, kind, host, value, ...row }: Omit<AllocationRow, "created_at">): Allocation => ({
  ...{ slot, kind: kind as Allocation["kind"], host, value },
  protocol: row.protocol === "" ? null : row.protocol,
  containerPort: row.container_port,
});
