import { API_SERVER } from "../src/domain/allocation.ts";
import type { Store } from "../src/ports/store/index.ts";
import {
  ada,
  claimOne,
  declare,
  declareAndClaim,
  declareAndCreate,
  POOLS,
  type StoreWorld,
  specWith,
  workerAt,
} from "../src/ports/store/world.conformance.ts";
import { findSqliteDriver, openRawDatabase } from "../src/store/sqlite/raw-database.ts";
import { createPostgresDatabase, createSqliteDatabase, type TestDatabase } from "./database.ts";
import { postgresSubject, sqliteSubject } from "./store-world.ts";

/** Characters that some program on the way may take for something else. */
export const ODD = "集群 🚜 \u2028\u2029\r\n\u0085 \\ ' \" nul\u0000 half\ud800";
/** Without the two that a database has no place for outside of JSON. */
const ODD_TEXT = ODD.replace("\u0000", "").replace("\ud800", "");

const SUBJECTS = { SQLite: sqliteSubject(findSqliteDriver()), PostgreSQL: postgresSubject } as const;
const EMPTY = {
  SQLite: async () => createSqliteDatabase(openRawDatabase),
  PostgreSQL: () => createPostgresDatabase({ empty: true }),
} as const;

export type DatabaseName = keyof typeof SUBJECTS;

/** A world outside of the suite's fixtures, for tests that need several at once. */
export async function inWorld(kind: DatabaseName, work: (world: StoreWorld) => Promise<void>): Promise<void> {
  const world = await SUBJECTS[kind].create();
  try {
    await work(world);
  } finally {
    await world.dispose();
  }
}

export async function inEmpty(kind: DatabaseName, work: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await EMPTY[kind]();
  try {
    await work(database);
  } finally {
    await database.dispose();
  }
}

/** Puts something into every table. */
export async function fillStore(store: Store): Promise<void> {
  await declareAndCreate(store, "gone");
  await store.desired.deleteCluster({ name: "gone", actor: ada });
  await store.jobs.finishDeletion((await claimOne(store)).ref, { ODD });
  await fillJob(store);
  await fillBoundCluster(store);
  await declare(store, "waiting", { labels: { env: "x" }, annotations: { odd: ODD_TEXT }, reason: "why" });
  await store.desired.deleteCluster({ name: "waiting", actor: ada, idempotency: { key: "k", requestHash: "h" } });
  await store.secrets.putSecret(ada, { owner: "o", name: "n", value: Buffer.from(ODD) });
  const { id: userId } = await store.access.createUser(ada, { name: "zoe", role: "viewer", scopes: ["a=b"] });
  const session = { lifetimeMs: 1e9, address: "", userAgent: ODD_TEXT };
  await store.access.createSession({ userId, tokenHash: "s", ...session });
  await store.access.createToken(ada, { userId, name: "t", tokenHash: "t", role: "viewer" });
  await store.library.createEntry(ada, { kind: "group", name: "g", body: { ODD } });
  const [member] = await store.batches.findMembers({ names: ["elsewhere"] }, []);
  if (member === undefined) throw new Error("The cluster is not there.");
  const order = { operation: "label", parameters: { ODD }, waveSize: 1, maxFailures: 0, scopes: [], reason: ODD_TEXT };
  await store.batches.createBatch({ ...order, members: [member], actor: ada });
  const grant = { role: "viewer", tokenHash: "h", lifetimeMs: 1e9 } as const;
  await store.kubeconfigs.addKubeconfig(ada, { ...grant, clusterId: member.id, clusterName: member.name });
  await store.machines.enrollMachines(ada, [
    {
      name: "m1",
      address: "10.0.0.1",
      port: 22,
      user: "root",
      credential: { name: "k" },
      sudo: { mode: "none" },
      labels: { a: "b" },
    },
  ]);
  await store.outbox.enqueue({ topic: "t", payload: { ODD } });
  await store.settings.putSetting(ada, { key: "k", value: { ODD } });
  await store.leases.acquireLease({ key: "leader", holder: "w", ttlMs: 60_000, data: 1 });
}

/** A job that somebody holds, in the middle of its plan. */
async function fillJob(store: Store): Promise<void> {
  const { ref } = await declareAndClaim(store, "dev");
  const steps = [{ stepId: "a", name: "a", title: "A", host: "l" }];
  await store.jobs.beginPlan(ref, { hash: "h", body: { ODD }, steps });
  await store.jobs.saveSteps(ref, [{ stepId: "a", state: "Running", attempt: 1 }]);
  await store.jobs.appendLog(ref, [{ stepId: "a", host: "l", stream: "stdout", text: ODD }]);
  await store.jobs.recordIntended(ref, { system: "s", kind: "k", ref: "r" });
}

async function fillBoundCluster(store: Store): Promise<void> {
  const worker = workerAt({ host: "h9" });
  const { cluster } = await declare(store, "elsewhere", { spec: specWith(2, { placement: { host: "h9" } }) });
  const { ref } = await claimOne(store, worker);
  await store.jobs.reserveAllocation(ref, API_SERVER, { pools: POOLS, except: [] });
  await store.jobs.finishJobs([{ ref, state: "Succeeded", report: { ODD } }]);
  const seenAt = await store.observations.readTime();
  const look = { clusterId: cluster.id, source: "provider", presence: "present", seenAt, body: { ODD } } as const;
  await store.observations.saveObservations(worker, [look]);
}
