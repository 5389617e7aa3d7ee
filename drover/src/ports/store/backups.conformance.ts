import { describe, expect } from "vitest";
import type { BackupManifest } from "../../domain/backup.ts";
import { findCondition } from "../../domain/conditions.ts";
import type { MadeBackup } from "./backup-store.ts";
import type { ClaimedJob } from "./job-store.ts";
import type { Store } from "./store.ts";
import {
  ada,
  claimOne,
  countRows,
  declare,
  declareAndCreate,
  expireLease,
  refusalOf,
  type StoreSubject,
  type StoreWorld,
  storeTest,
  validSpec,
} from "./world.conformance.ts";

const manifest = (id: string): BackupManifest => ({
  ...{ format: 1, id, cluster: { id: "c", name: "dev" }, kubernetesVersion: "v1.34.4", node: "cp-1" },
  ...{ takenAt: "2026-01-01T00:00:00.000Z", authority: "ab", objects: { namespaces: 4 } },
  etcd: { hash: 1, revision: 2, keys: 3 },
  snapshot: { name: "snapshot.db", bytes: 5, sha256: "cd" },
  keys: { name: "keys.sealed", bytes: 6, sha256: "ef" },
});
const made = (id: string): MadeBackup => ({
  ...{ id, manifest: manifest(id) },
  place: { type: "directory", host: "h1", path: `/b/${id}` },
});

const withSchedule = (schedule: string) =>
  validSpec({
    ...{ provider: "ssh", kubernetes: { version: "v1.34.4" } },
    ssh: {
      ...{ distribution: "kubeadm", access: { credential: { name: "machines" } }, schedulableControlPlane: true },
      artifacts: { source: "directory", location: "/a" },
      nodes: [{ name: "cp-1", address: "192.0.2.1", roles: ["controlplane", "etcd"] }],
      backup: { schedule, destination: { type: "directory", path: "/b" } },
    },
  });

async function claimBackup(store: Store, clusterName = "dev"): Promise<ClaimedJob> {
  await store.desired.requestJob({ clusterName, kind: "backup", actor: ada });
  return await claimOne(store);
}

const backupAt = async (world: StoreWorld): Promise<number | null> => {
  const [row] = await world.execute("select backup_at from clusters where name = 'dev'");
  const at = row?.["backup_at"] ?? null;
  return at === null ? null : Number(at);
};

export function describeBackups(subject: StoreSubject): void {
  const it = storeTest(subject);

  it("are listed newest first, of their own cluster, and once", async ({ world }) => {
    const { store } = world;
    const { id: clusterId } = await declareAndCreate(store, "dev");
    const other = await declareAndCreate(store, "other");
    const first = await claimBackup(store);
    await store.jobs.keepBackup(first.ref, made("a1"));
    await store.jobs.keepBackup(first.ref, made("a1"));
    await store.jobs.keepBackup(first.ref, made("a2"));
    const listed = await store.backups.listBackups(clusterId);
    expect(listed.map(({ id }) => id)).toEqual(["a2", "a1"]);
    expect(listed[1]).toMatchObject({ ...made("a1"), clusterId, drill: null });
    expect(await store.backups.getBackup(clusterId, "a1")).toEqual(listed[1]);
    expect(await store.backups.getBackup(other.id, "a1")).toBeNull();
    expect(await store.backups.listBackups(other.id)).toEqual([]);
    expect(await countRows(world, "events", "kind = 'backup.taken'")).toBe(2);
    expect(await countRows(world, "audit", "action = 'backup.taken'")).toBe(2);
  });

  it("keep what the last drill came to, until they go", async ({ world: { store } }) => {
    const { id: clusterId } = await declareAndCreate(store, "dev");
    const { ref } = await claimBackup(store);
    await store.jobs.keepBackup(ref, made("a1"));
    await store.jobs.recordDrill(ref, "a1", { passed: false, message: "No." });
    await store.jobs.recordDrill(ref, "a1", { passed: true, message: "Yes." });
    const [backup] = await store.backups.listBackups(clusterId);
    expect(backup?.drill).toEqual({ at: expect.any(Number), jobId: ref.jobId, passed: true, message: "Yes." });
    await store.jobs.forgetBackup(ref, "a1");
    await store.jobs.forgetBackup(ref, "a1");
    expect(await store.backups.listBackups(clusterId)).toEqual([]);
  });

  it("are written by the holder of the job alone", async ({ world }) => {
    const { store } = world;
    await declareAndCreate(store, "dev");
    const { ref } = await claimBackup(store);
    await store.jobs.keepBackup(ref, made("a1"));
    await expireLease(world, ref);
    await claimOne(store);
    expect(await refusalOf(store.jobs.keepBackup(ref, made("a2")))).toBe("lease-lost");
    expect(await refusalOf(store.jobs.recordDrill(ref, "a1", { passed: true, message: "" }))).toBe("lease-lost");
    expect(await refusalOf(store.jobs.forgetBackup(ref, "a1"))).toBe("lease-lost");
  });

  it("that fail are seen at their cluster until one succeeds, and a drill that passes does not hide it", async ({
    world: { store },
  }) => {
    await declareAndCreate(store, "dev");
    const said = async () => findCondition((await store.read.findCluster("dev"))?.conditions ?? [], "BackedUp");
    const failed = await claimBackup(store);
    const error = { code: "backup-store-refused", message: "The disk is full." } as const;
    await store.jobs.finishJobs([{ ref: failed.ref, state: "Failed", error }]);
    expect(await said()).toMatchObject({ status: "False", reason: "JobFailed", message: "The disk is full." });
    const drill = await claimBackup(store);
    await store.jobs.finishJobs([{ ref: drill.ref, state: "Succeeded" }]);
    expect(await said()).toMatchObject({ status: "False" });
    const taken = await claimBackup(store);
    await store.jobs.keepBackup(taken.ref, made(taken.job.id));
    await store.jobs.finishJobs([{ ref: taken.ref, state: "Succeeded" }]);
    expect(await said()).toMatchObject({ status: "True", message: "" });
  });

  describe("by schedule", () => {
    const worker = { id: "w1", host: "h1", providers: ["ssh"], hostBound: [] };
    const LIMIT = { limit: 10 };

    it("come when it is time, once however many ask, and a minute later behind another job", async ({ world }) => {
      const { store } = world;
      expect(await store.schedules.nextBackupIn()).toBeNull();
      await declare(store, "dev", { spec: withSchedule("0 3 * * *") });
      expect(await store.schedules.nextBackupIn()).toBe(0);
      expect(await store.schedules.startBackups(LIMIT)).toEqual([{ clusterName: "dev", jobId: null }]);
      const wait = (await store.schedules.nextBackupIn()) ?? 0;
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(86_400_000);
      const create = await claimOne(store, worker);
      await store.jobs.finishJobs([{ ref: create.ref, state: "Succeeded" }]);
      await world.execute("update clusters set backup_at = 1");
      const other = await world.open();
      const asked = await Promise.all([store, other, store].map((one) => one.schedules.startBackups(LIMIT)));
      const started = asked.flat().filter(({ jobId }) => jobId !== null);
      expect(started).toHaveLength(1);
      expect(await store.read.getJob(started[0]?.jobId ?? "")).toMatchObject({ kind: "backup", createdBy: "schedule" });
      await world.execute("update clusters set backup_at = 1");
      expect(await store.schedules.startBackups(LIMIT)).toEqual([{ clusterName: "dev", jobId: null }]);
      const later = (await backupAt(world)) ?? 0;
      expect(later - (await store.observations.readTime())).toBeLessThanOrEqual(60_000);
    });

    it("follow the spec: another schedule is worked out anew, none means none", async ({ world }) => {
      const { store } = world;
      await declare(store, "dev", { spec: withSchedule("0 3 1 1 *") });
      await store.schedules.startBackups(LIMIT);
      const before = await backupAt(world);
      expect(before).toBeGreaterThan(0);
      await declare(store, "dev", { spec: withSchedule("0 4 1 1 *"), jobKind: null });
      expect(await backupAt(world)).toBe(0);
      const { backup: _, ...ssh } = withSchedule("0 3 * * *").ssh as object & { backup: object };
      await declare(store, "dev", { spec: { ...withSchedule("0 3 * * *"), ssh } as never, jobKind: null });
      expect(await backupAt(world)).toBeNull();
    });

    it("are none for a cluster that was never made, sleeps, is paused, or is to be gone", async ({ world }) => {
      const { store } = world;
      await declare(store, "dev", { spec: withSchedule("0 3 * * *") });
      const create = await claimOne(store, worker);
      const due = (more = "") => world.execute(`update clusters set backup_at = 1${more}`);
      await store.jobs.finishJobs([{ ref: create.ref, state: "Failed" }]);
      for (const more of ["", ", observed_generation = 1, paused = 1", ", paused = 0, hibernated = 1"]) {
        await due(more);
        expect(await store.schedules.startBackups(LIMIT), more).toEqual([{ clusterName: "dev", jobId: null }]);
      }
      await due(", hibernated = 0");
      await store.desired.deleteCluster({ name: "dev", actor: ada });
      expect(await store.schedules.startBackups(LIMIT)).toEqual([{ clusterName: "dev", jobId: null }]);
      expect(await backupAt(world)).toBeNull();
    });
  });
}
