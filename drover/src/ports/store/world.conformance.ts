import { type ClusterSpec, DroverError, type ErrorCode, validateCluster } from "@drover/contract";
import { test } from "vitest";
import type { AllocationPools } from "../../domain/allocation.ts";
import { type Clock, systemClock } from "../clock.ts";
import type { Actor, ClaimedJob, DeclareCluster, DeclareResult, JobRef, Store, WorkerIdentity } from "./index.ts";

/** A store of its own for one test, on a database that nobody else uses. */
export interface StoreWorld {
  readonly database: "sqlite" | "postgres";
  readonly url: string;
  readonly store: Store;
  /** Another store on the same database, as another process would have it. Keys are told by number; the first is 1. */
  open(options?: { key?: number; older?: readonly number[]; clock?: Clock }): Promise<Store>;
  /** Runs statements behind the store's back. */
  execute(sql: string): Promise<readonly Row[]>;
  /** A folder that goes away with the world. */
  readonly folder: string;
  /** Closes what the test left open, then fails when any connection or file is still open. */
  dispose(): Promise<void>;
}

export type Row = Readonly<Record<string, unknown>>;

/** What the suite is run against. */
export interface StoreSubject {
  /** Stands in the output, such as `PostgreSQL 18`. */
  readonly name: string;
  create(): Promise<StoreWorld>;
}

/** `it` with a world for each test. */
export function storeTest(subject: StoreSubject) {
  return test.extend<{ world: StoreWorld }>({
    world: async ({ task: _ }, use) => {
      const world = await subject.create();
      await use(world);
      await world.dispose();
    },
  });
}

export const ada: Actor = { type: "user", name: "ada", address: "192.0.2.7" };

export const workerAt = (more: Partial<WorkerIdentity> = {}): WorkerIdentity => ({
  id: "w1",
  host: "h1",
  providers: ["simulated"],
  hostBound: [],
  ...more,
});

/** A valid spec; the number of workers tells one from another. */
export const specWith = (workers: number, more: Record<string, unknown> = {}): ClusterSpec =>
  validSpec({ provider: "simulated", simulated: { workers }, ...more });

export function validSpec(spec: object): ClusterSpec {
  const validation = validateCluster({
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name: "any" },
    spec,
  });
  if (!validation.ok) throw new Error(`no valid spec: ${JSON.stringify(validation.problems)}`);
  return validation.cluster.spec;
}

/** A spec of kind, with ports that it publishes and a host where it says so. */
export function kindSpecWith(ports: readonly object[] = [], host?: string): ClusterSpec {
  const spec = { provider: "kind", kind: {}, ...(host === undefined ? {} : { placement: { host } }) };
  return validSpec(ports.length === 0 ? spec : { ...spec, networking: { ports } });
}

export function declare(store: Store, name: string, more: Partial<DeclareCluster> = {}): Promise<DeclareResult> {
  return store.desired.declareCluster({ name, spec: specWith(1), jobKind: "create", actor: ada, ...more });
}

/** Longer than any machine takes for a test. */
export const LEASE_MS = 3_600_000;

export const POOLS: AllocationPools = {
  ports: { from: 20_000, to: 20_009 },
  subnets: { pool: "10.210.0.0/22", prefix: 24 },
};

export async function claimOne(store: Store, worker: WorkerIdentity = workerAt()): Promise<ClaimedJob> {
  const [claimed] = await store.jobs.claimJobs(worker, { limit: 1, leaseMs: LEASE_MS });
  if (claimed === undefined) throw new Error("no job could be claimed");
  return claimed;
}

export async function claimAll(store: Store, worker: WorkerIdentity = workerAt()): Promise<readonly ClaimedJob[]> {
  return await store.jobs.claimJobs(worker, { limit: 1_000, leaseMs: LEASE_MS });
}

/** A declared cluster whose create job a worker holds. */
export async function declareAndClaim(store: Store, name = "dev"): Promise<ClaimedJob> {
  const { job } = await declare(store, name);
  const claimed = await claimOne(store);
  if (claimed.job.id !== job?.id) throw new Error(`another job than the one of ${name} was claimed`);
  return claimed;
}

/** A declared cluster that was created. */
export async function declareAndCreate(store: Store, name = "dev"): Promise<DeclareResult["cluster"]> {
  const { ref, cluster } = await declareAndClaim(store, name);
  await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
  return (await store.read.getCluster(cluster.id)) ?? cluster;
}

export const expireLease = (world: StoreWorld, ref: JobRef) =>
  world.execute(`update jobs set lease_expires_at = 0 where id = '${ref.jobId}'`);

/** What of the store runs on time: when something may be done, and how long something is held. */
const DEADLINES = {
  jobs: ["run_at", "lease_expires_at"],
  outbox: ["run_at", "lease_expires_at"],
  leases: ["expires_at"],
  looks: ["due_at", "health_due_at", "leased_until"],
  machines: ["due_at", "leased_until"],
} as const;

/**
 * As if so much time had passed: every deadline is so much nearer. Tests wait for nothing, and give deadlines of hours,
 * which no machine is slow enough to reach.
 */
export async function letPass(world: StoreWorld, ms: number, table: keyof typeof DEADLINES): Promise<void> {
  // 0 is not a time: it says that something is due at once, or held by nobody.
  const nearer = (column: string) =>
    `${column} = case when ${column} > ${ms} then ${column} - ${ms} else ${column} end`;
  await world.execute(`update ${table} set ${DEADLINES[table].map(nearer).join(", ")}`);
}

/** A clock that goes on with every look at it, so that what is made later has an id that sorts later. */
export function tickingClock(): Clock {
  let last = 0;
  return {
    now: () => {
      last = Math.max(last + 1, systemClock.now());
      return last;
    },
    monotonic: () => systemClock.monotonic(),
  };
}

/** Lets the lease run out and another worker take the job: what the old holder has is stale from here on. */
export async function takeOver(world: StoreWorld, ref: JobRef): Promise<ClaimedJob> {
  await expireLease(world, ref);
  const claimed = await claimOne(world.store, workerAt({ id: "w2" }));
  if (claimed.job.id !== ref.jobId) throw new Error("another job was taken over");
  return claimed;
}

/** The code that something is refused with. */
export async function refusalOf(attempt: Promise<unknown>): Promise<ErrorCode> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof DroverError) return error.code;
    throw error;
  }
  throw new Error("it was not refused");
}

/** What anything else than a refusal says: for what the database itself must not let through. */
export async function failureOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("it did not fail");
}

export const TABLES = [
  ...["clusters", "cluster_labels", "revisions", "plans", "jobs", "job_steps", "log_chunks", "events", "audit"],
  ...["audit_head", "observations", "external_objects", "secrets", "users", "sessions", "tokens", "outbox"],
  ...["settings", "backups", "leases", "idempotency_keys", "looks", "sign_in_tries"],
  ...["library", "batches", "batch_items", "kubeconfigs", "allocation_hosts", "allocations"],
  ...["machines", "machine_labels"],
];

/** Everything that the database holds: for proving that something left no trace. */
export async function dump(world: StoreWorld): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables: Record<string, readonly string[]> = {};
  for (const table of TABLES) {
    const rows = await world.execute(`select * from ${table}`);
    tables[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return tables;
}

export async function countRows(world: StoreWorld, table: string, where = "1 = 1"): Promise<number> {
  const rows = await world.execute(`select count(*) as count from ${table} where ${where}`);
  return Number(rows[0]?.["count"]);
}

/** Makes the database refuse new or changed rows of a table, or the end of them. */
export async function breakTable(
  world: StoreWorld,
  table: string,
  event: "insert" | "update" | "delete",
  when = "1 = 1",
): Promise<void> {
  if (world.database === "sqlite") {
    await world.execute(
      `create trigger broken_${table} before ${event} on ${table} when ${when} begin select raise(abort, 'broken'); end`,
    );
    return;
  }
  await world.execute(`
    create function broken_${table}() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
    create trigger broken_${table} before ${event} on ${table}
      for each row when (${when}) execute function broken_${table}()`);
}
