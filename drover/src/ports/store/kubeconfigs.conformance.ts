import { describe, expect } from "vitest";
import { clusterSecretOwner, waitingKubeconfig } from "./secret-store.ts";
import type { Store } from "./store.ts";
import {
  ada,
  breakTable,
  claimOne,
  countRows,
  declareAndCreate,
  dump,
  failureOf,
  type StoreSubject,
  storeTest,
  tickingClock,
} from "./world.conformance.ts";

export function describeKubeconfigs(subject: StoreSubject): void {
  const it = storeTest(subject);
  const grant = { role: "viewer", tokenHash: "hash", lifetimeMs: 60_000 } as const;

  describe("kubeconfigs", () => {
    it("are remembered with who has them, and revoked once", async ({ world }) => {
      const store = await world.open({ clock: tickingClock() });
      const { id: clusterId, name: clusterName } = await declareAndCreate(store, "dev");
      const other = await declareAndCreate(store, "other");
      const of = { clusterId, clusterName };
      const made = await store.kubeconfigs.addKubeconfig(ada, { ...grant, ...of });
      expect(made).toMatchObject({ clusterId, role: "viewer", createdBy: "ada", revokedAt: null });
      expect(made.expiresAt).toBe(made.createdAt + 60_000);
      const admin = { role: "admin", tokenHash: null, lifetimeMs: null } as const;
      const { id: adminId } = await store.kubeconfigs.addKubeconfig(ada, { ...of, ...admin });
      const listed = await store.kubeconfigs.listKubeconfigs(clusterId);
      expect(listed.map(({ id }) => id)).toEqual([adminId, made.id]);
      expect(await store.kubeconfigs.listKubeconfigs(other.id)).toEqual([]);
      const elsewhere = { id: made.id, clusterId: other.id, clusterName: "other" };
      expect(await store.kubeconfigs.revokeKubeconfig(ada, elsewhere)).toBeNull();
      const revoked = await store.kubeconfigs.revokeKubeconfig(ada, { ...of, id: made.id });
      expect(revoked?.revokedAt).toEqual(expect.any(Number));
      expect(await store.kubeconfigs.revokeKubeconfig(ada, { ...of, id: made.id })).toEqual(revoked);
      const audit = await store.read.listAudit({ limit: 3, objectName: "dev" });
      expect(audit.map(({ action, body }) => [action, (body as { role: string }).role])).toEqual([
        ["kubeconfig.revoke", "viewer"],
        ["kubeconfig.create", "admin"],
        ["kubeconfig.create", "viewer"],
      ]);
    });

    it("are not handed out without an audit entry", async ({ world }) => {
      const { id: clusterId, name: clusterName } = await declareAndCreate(world.store, "dev");
      await breakTable(world, "audit", "insert");
      const before = await dump(world);
      const adding = world.store.kubeconfigs.addKubeconfig(ada, { ...grant, clusterId, clusterName });
      expect(await failureOf(adding)).toContain("broken");
      expect(await dump(world)).toEqual(before);
    });
  });

  describe("kubeconfigs that a worker makes", () => {
    const made = { id: "k1", role: "viewer", expiresAt: 4_102_444_800_000, text: "text", by: ada } as const;
    const begin = async (store: Store) => {
      const { id } = await declareAndCreate(store, "dev");
      await store.desired.requestJob({ clusterName: "dev", kind: "grant", actor: ada });
      return { id, owner: clusterSecretOwner(id), ref: (await claimOne(store)).ref };
    };
    const actionsOf = async (store: Store) =>
      (await store.read.listAudit({ limit: 20, objectName: "dev" }))
        .map(({ action, actor }) => [action, actor.name])
        .filter(([action]) => action?.startsWith("kubeconfig."));

    it("wait for whoever asked, and are written down once", async ({ world: { store } }) => {
      const { id, owner, ref } = await begin(store);
      await store.jobs.keepKubeconfig(ref, made);
      await store.jobs.keepKubeconfig(ref, { ...made, text: "newer", expiresAt: made.expiresAt + 1 });
      expect(await store.kubeconfigs.listKubeconfigs(id)).toMatchObject([
        { id: "k1", role: "viewer", createdBy: "ada", expiresAt: made.expiresAt + 1, revokedAt: null },
      ]);
      const waiting = await store.secrets.getSecret(owner, waitingKubeconfig("k1"));
      expect(Buffer.from(waiting ?? []).toString()).toBe("newer");
      expect(await actionsOf(store)).toEqual([["kubeconfig.create", "ada"]]);
    });

    it("are revoked once, wait for nobody then, and are not made anew", async ({ world: { store } }) => {
      const { id, owner, ref } = await begin(store);
      await store.jobs.keepKubeconfig(ref, made);
      await store.jobs.recordRevoked(ref, { id: "k1", by: ada });
      await store.jobs.recordRevoked(ref, { id: "k1", by: ada });
      await store.jobs.recordRevoked(ref, { id: "unknown", by: ada });
      await store.jobs.keepKubeconfig(ref, made);
      expect(await store.kubeconfigs.listKubeconfigs(id)).toMatchObject([{ revokedAt: expect.any(Number) }]);
      expect(await store.secrets.getSecret(owner, waitingKubeconfig("k1"))).toBeNull();
      expect(await actionsOf(store)).toEqual([
        ["kubeconfig.revoke", "ada"],
        ["kubeconfig.create", "ada"],
      ]);
    });

    it("are neither kept nor revoked by a worker that lost the job", async ({ world }) => {
      const { store } = world;
      const { ref } = await begin(store);
      await store.jobs.keepKubeconfig(ref, made);
      const before = await dump(world);
      const stale = { ...ref, token: ref.token - 1 };
      for (const write of [
        () => store.jobs.keepKubeconfig(stale, { ...made, id: "k2" }),
        () => store.jobs.recordRevoked(stale, { id: "k1", by: ada }),
      ]) {
        await expect(write()).rejects.toMatchObject({ code: "lease-lost" });
      }
      expect(await dump(world)).toEqual(before);
    });

    it("are not kept without an audit entry", async ({ world }) => {
      const { ref } = await begin(world.store);
      await breakTable(world, "audit", "insert");
      const before = await dump(world);
      expect(await failureOf(world.store.jobs.keepKubeconfig(ref, made))).toContain("broken");
      expect(await dump(world)).toEqual(before);
    });
  });

  describe("secrets of clusters", () => {
    it("are kept by the worker that holds a job, the newest in the place of the others", async ({
      world: { store },
    }) => {
      const { id } = await declareAndCreate(store, "dev");
      await store.desired.requestJob({ clusterName: "dev", kind: "renew", actor: ada });
      const { ref } = await claimOne(store);
      for (const text of ["older", "newer"]) {
        await store.jobs.keepSecret(ref, { name: "encryption-keys", value: Buffer.from(text) });
      }
      const kept = await store.secrets.getSecret(clusterSecretOwner(id), "encryption-keys");
      expect(Buffer.from(kept ?? []).toString()).toBe("newer");
      const [entry] = await store.read.listAudit({ limit: 1, objectName: `${clusterSecretOwner(id)}/encryption-keys` });
      expect(entry).toMatchObject({ action: "secret.put", actor: { type: "worker" }, body: { version: 2 } });
    });

    it("are found missing, kept, and go with their cluster for good", async ({ world }) => {
      const { store } = world;
      const [one, two] = [await declareAndCreate(store, "one"), await declareAndCreate(store, "two")];
      const secret = { clusterId: one.id, name: "kubeconfig", value: Buffer.from("text") };
      expect(await store.secrets.putClusterSecret(ada, secret)).toBe(true);
      expect(await store.secrets.findClustersWithout("kubeconfig", [one.id, two.id])).toEqual([two.id]);
      expect(await store.secrets.findClustersWithout("kubeconfig", [])).toEqual([]);
      await store.desired.deleteCluster({ name: "one", actor: ada });
      await store.jobs.finishDeletion((await claimOne(store)).ref, {});
      expect(await store.secrets.putClusterSecret(ada, secret)).toBe(false);
      expect(await store.secrets.putClusterSecret(ada, { ...secret, clusterId: "none" })).toBe(false);
      expect(await countRows(world, "secrets")).toBe(0);
    });
  });
}
