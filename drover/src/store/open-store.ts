import { type Clock, systemClock } from "../ports/clock.ts";
import type { Store } from "../ports/store/index.ts";
import { backUp } from "./backup/back-up.ts";
import { SCHEMA_VERSION } from "./migrations/index.ts";
import { openPostgres } from "./postgres/open.ts";
import { accessStore } from "./queries/access.ts";
import { keepAllocations, reserveAllocation } from "./queries/allocations.ts";
import { appendAudit } from "./queries/append-audit.ts";
import { listAudit, verifyAudit } from "./queries/audit.ts";
import { nextBackupIn, startBackups } from "./queries/backup-schedules.ts";
import { backupStore, forgetBackup, keepBackup, recordDrill } from "./queries/backups.ts";
import { batchStore } from "./queries/batches.ts";
import { cancelJob } from "./queries/cancel-job.ts";
import { claimJobs, nextClaimIn } from "./queries/claim-jobs.ts";
import { declareCluster } from "./queries/declare-cluster.ts";
import { deleteCluster } from "./queries/delete-cluster.ts";
import { finishDeletion, jobFinisher } from "./queries/finish-jobs.ts";
import { postponeJob, releaseJobs, renewLeases } from "./queries/hold-jobs.ts";
import { planBeginner, savePlan } from "./queries/journal.ts";
import { keepKubeconfig, recordRevoked } from "./queries/keep-kubeconfig.ts";
import { keepSecret } from "./queries/keep-secret.ts";
import { kubeconfigStore } from "./queries/kubeconfigs.ts";
import { leaseStore } from "./queries/leases.ts";
import { recordGone, recordIntended, recordPresent } from "./queries/ledger.ts";
import { libraryStore } from "./queries/library.ts";
import { appendLog } from "./queries/log.ts";
import { lookStore } from "./queries/looks.ts";
import { machineLookStore } from "./queries/machine-looks.ts";
import { machineStore } from "./queries/machines.ts";
import { outboxStore } from "./queries/outbox.ts";
import { readStore } from "./queries/read.ts";
import { requestJob } from "./queries/request-job.ts";
import { oldestLookAt, requestLooks } from "./queries/request-looks.ts";
import { applyRetention } from "./queries/retention.ts";
import { listObservations, readTime, saveObservations, saveStatus } from "./queries/save-observations.ts";
import { stepSaver } from "./queries/save-steps.ts";
import { switchStore } from "./queries/schedules.ts";
import {
  deleteSecret,
  findClustersWithout,
  getSecret,
  listSecrets,
  putClusterSecret,
  putSecret,
  rewrapSecrets,
} from "./queries/secrets.ts";
import { settingsStore } from "./queries/settings.ts";
import { workerStore } from "./queries/workers.ts";
import { checkMasterKey, masterKeyGuard } from "./secrets/check-master-key.ts";
import { encrypt, openSealed } from "./secrets/envelope.ts";
import type { KeyRing } from "./secrets/key-ring.ts";
import type { LifeSigns, Session, SettingGuard } from "./session.ts";
import { openSqlite } from "./sqlite/open.ts";
import type { SqliteDriverName } from "./sqlite/raw-database.ts";

export interface OpenStore {
  /** `postgres://…`, or the path of a SQLite file, with or without `sqlite:` before it. */
  readonly url: string;
  readonly keys: KeyRing;
  readonly clock?: Clock;
  /** Connections to keep to PostgreSQL. */
  readonly connections?: number;
  /** For PostgreSQL: how long to wait for a connection. */
  readonly connectMs?: number;
  readonly sqliteDriver?: SqliteDriverName;
  /** For SQLite, instead of looking at the processes of this host: for simulations. */
  readonly life?: LifeSigns;
}

type OpenSession = Omit<OpenStore, "keys"> & { readonly guard?: SettingGuard };

export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//.test(url);

export async function openSession(options: OpenSession): Promise<Session> {
  const { url, clock = systemClock, connections, connectMs, sqliteDriver, life } = options;
  const guard = options.guard === undefined ? {} : { guard: options.guard };
  if (isPostgresUrl(url)) {
    return await openPostgres({
      ...{ url, clock, ...guard },
      ...(connections === undefined ? {} : { connections }),
      ...(connectMs === undefined ? {} : { connectMs }),
    });
  }
  const file = url.replace(/^sqlite:/, "");
  const driver = sqliteDriver === undefined ? {} : { driver: sqliteDriver };
  return await openSqlite({ file, clock, ...guard, ...driver, ...(life === undefined ? {} : { life }) });
}

/** Opens the store, brings its schema up to date, and makes sure that the master key is the right one. */
export async function openStore(options: OpenStore): Promise<Store> {
  const session = await openSession({ ...options, guard: masterKeyGuard(options.keys) });
  try {
    await checkMasterKey(session, options.keys);
  } catch (error) {
    await session.close();
    throw error;
  }
  return storeOn(session, options.keys);
}

/** No row of the store has such a name: what is kept outside cannot be taken for what is kept inside. */
const sealedOutside = (name: string): string => `outside ${name}`;

export function storeOn(session: Session, keys: KeyRing): Store {
  return {
    desired: {
      declareCluster: (input) => declareCluster(session, input),
      deleteCluster: (input) => deleteCluster(session, input),
      requestJob: (input) => requestJob(session, input),
      cancelJob: (input) => cancelJob(session, input),
      requestLooks: (actor, scopes) => requestLooks(session, actor, scopes),
      savePlan: (plan) => savePlan(session, plan),
    },
    jobs: {
      claimJobs: (worker, claim) => claimJobs(session, worker, claim),
      nextClaimIn: (worker) => nextClaimIn(session, worker),
      renewLeases: (refs, leaseMs, progress) => renewLeases(session, refs, leaseMs, progress),
      releaseJobs: (refs) => releaseJobs(session, refs),
      postponeJob: (ref, later) => postponeJob(session, ref, later),
      finishJobs: jobFinisher(session),
      finishDeletion: (ref, record) => finishDeletion(session, ref, record),
      beginPlan: planBeginner(session),
      saveSteps: stepSaver(session),
      appendLog: (ref, lines) => appendLog(session, ref, lines),
      recordIntended: (ref, object) => recordIntended(session, ref, object),
      recordPresent: (ref, objectId) => recordPresent(session, ref, objectId),
      recordGone: (ref, objectId) => recordGone(session, ref, objectId),
      reserveAllocation: (ref, wish, from) => reserveAllocation(session, ref, wish, from),
      keepAllocations: (ref, slots) => keepAllocations(session, ref, slots),
      keepKubeconfig: (ref, made) => keepKubeconfig(session, keys, ref, made),
      recordRevoked: (ref, gone) => recordRevoked(session, ref, gone),
      keepSecret: (ref, secret) => keepSecret(session, keys, ref, secret),
      keepBackup: (ref, backup) => keepBackup(session, ref, backup),
      recordDrill: (ref, backupId, drill) => recordDrill(session, ref, backupId, drill),
      forgetBackup: (ref, backupId) => forgetBackup(session, ref, backupId),
    },
    observations: {
      readTime: () => readTime(session),
      saveObservations: (worker, looks, held = []) => saveObservations(session, worker, looks, held),
      saveStatus: (worker, updates, held = []) => saveStatus(session, worker, updates, held),
      listObservations: (clusterId) => listObservations(session, clusterId),
    },
    read: {
      ...readStore(session),
      listAudit: (query) => listAudit(session, query),
      oldestLookAt: (scopes) => oldestLookAt(session, scopes),
    },
    secrets: {
      putSecret: (actor, secret) => putSecret(session, keys, actor, secret),
      putClusterSecret: (actor, secret) => putClusterSecret(session, keys, actor, secret),
      findClustersWithout: (name, clusterIds) => findClustersWithout(session, name, clusterIds),
      getSecret: (owner, name) => getSecret(session, keys, owner, name),
      deleteSecret: (actor, owner, name) => deleteSecret(session, actor, owner, name),
      listSecrets: (owner) => listSecrets(session, owner),
      rewrapSecrets: (actor) => rewrapSecrets(session, keys, actor),
      seal: (name, plain) => JSON.stringify(encrypt(keys, sealedOutside(name), plain)),
      open: (name, sealed) => openSealed(keys, sealedOutside(name), sealed),
    },
    kubeconfigs: kubeconfigStore(session),
    backups: backupStore(session),
    library: libraryStore(session),
    batches: batchStore(session),
    machines: machineStore(session),
    machineLooks: machineLookStore(session),
    access: accessStore(session),
    outbox: outboxStore(session),
    settings: settingsStore(session),
    looks: lookStore(session),
    schedules: {
      ...switchStore(session),
      startBackups: ({ limit }) => startBackups(session, limit),
      nextBackupIn: () => nextBackupIn(session),
    },
    workers: workerStore(session),
    leases: leaseStore(session),
    audit: {
      recordAudit: (actor, entry) => session.write(async (tx) => void (await appendAudit(tx, actor, entry))),
      verifyAudit: () => verifyAudit(session),
    },
    upkeep: {
      checkHealth: async () => {
        const database = session.dialect.kind;
        try {
          await readTime(session);
          return { ok: true, database, schema: SCHEMA_VERSION, detail: "reads answer" };
        } catch (error) {
          return { ok: false, database, schema: SCHEMA_VERSION, detail: (error as Error).message };
        }
      },
      applyRetention: (keep) => applyRetention(session, keep),
      backUp: (file) => backUp(session, file),
    },
    wake: session.wake,
    close: () => session.close(),
  };
}
