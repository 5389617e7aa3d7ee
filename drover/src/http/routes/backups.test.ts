import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer } from "../../../test/http.ts";
import type { BackupManifest } from "../../domain/backup.ts";

const DOCUMENT = `
apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata: { name: prod }
spec:
  provider: ssh
  kubernetes: { version: v1.34.4 }
  ssh:
    distribution: kubeadm
    access: { credential: { name: machines } }
    artifacts: { source: directory, location: /srv/artifacts }
    schedulableControlPlane: true
    nodes: [{ name: cp-1, address: 192.0.2.1, roles: [controlplane, etcd] }]
`;

const WORKER = { id: "w1", host: "h1", providers: ["ssh"], hostBound: [] };

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  test = await openTestServer();
  expect((await test.ask("POST", "/api/v1/clusters", { body: DOCUMENT })).status).toBe(202);
});
afterAll(() => test.dispose());

/** As a worker of machines would do it: there is none here. */
async function finish(work: (ref: { jobId: string; token: number }) => Promise<void> = async () => {}) {
  const [claimed] = await test.store.jobs.claimJobs(WORKER, { limit: 1, leaseMs: 60_000 });
  if (claimed === undefined) throw new Error("no job waits");
  await work(claimed.ref);
  await test.store.jobs.finishJobs([{ ref: claimed.ref, state: "Succeeded" }]);
  return claimed.job;
}

const manifestOf = (id: string): BackupManifest => ({
  ...{ format: 1, id, cluster: { id: "c", name: "prod" }, kubernetesVersion: "v1.34.4", node: "cp-1" },
  ...{ takenAt: "2026-01-01T00:00:00.000Z", authority: "ab", objects: { namespaces: 4 } },
  etcd: { hash: 1, revision: 2, keys: 3 },
  snapshot: { name: "snapshot.db", bytes: 5, sha256: "cd" },
  keys: { name: "keys.sealed", bytes: 6, sha256: "ef" },
});

const post = (path: string, body: object = {}) => test.ask("POST", `/api/v1/clusters/prod/${path}`, { body });

describe("backups of a cluster on machines", () => {
  it("are taken by a job, which they have their id of, and listed", async () => {
    expect((await post("backup")).json.code, "it was not made yet").toBe("cluster-not-ready");
    await finish();
    expect((await post("backup")).status).toBe(202);
    expect((await post("backup")).json.code).toBe("job-live");
    const { id } = await finish(async (ref) => {
      const place = { type: "directory", host: "h1", path: "/b/1" } as const;
      await test.store.jobs.keepBackup(ref, { id: ref.jobId, place, manifest: manifestOf(ref.jobId) });
    });
    const { json } = await test.ask("GET", "/api/v1/clusters/prod/backups", { as: "viewer" });
    expect(json.items).toMatchObject([{ id, location: "h1:/b/1", bytes: 5, keys: 3, drill: null }]);
    expect((await test.ask("GET", `/api/v1/clusters/prod/backups/${id}`)).json).toEqual(json.items?.[0]);
    expect((await test.ask("GET", "/api/v1/clusters/prod/backups/none")).json.code).toBe("backup-not-found");
  });

  it("are proven by a job whose plan says which one is meant, and retried with it", async () => {
    const { json } = await test.ask("GET", "/api/v1/clusters/prod/backups");
    const id = json.items?.[0]?.id as unknown as string;
    expect((await post(`backups/${id}/drill`)).status).toBe(202);
    const drill = await finish();
    expect(drill).toMatchObject({ kind: "backup", reason: `Drill of the backup ${id}.` });
    const plan = (await test.store.read.getPlan(drill.planHash ?? "")) as unknown as {
      steps: readonly { name: string; input: object }[];
    };
    expect(plan.steps).toMatchObject([{ name: "drill-ssh-backup", input: { backup: id } }]);
    expect((await post("backups/none/drill")).json.code).toBe("backup-not-found");
  });

  it("replace what a cluster has only with its name typed", async () => {
    const { json } = await test.ask("GET", "/api/v1/clusters/prod/backups");
    const id = json.items?.[0]?.id as unknown as string;
    expect((await post(`backups/${id}/restore`, { confirm: "pro" })).json.code).toBe("consent-required");
    expect((await post(`backups/${id}/restore`)).json.code).toBe("request-invalid");
    expect((await post(`backups/${id}/restore`, { confirm: "prod" })).status).toBe(202);
    const restore = await finish();
    expect(restore).toMatchObject({ kind: "restore" });
    const plan = (await test.store.read.getPlan(restore.planHash ?? "")) as unknown as {
      steps: readonly { name: string }[];
    };
    expect(plan.steps.map(({ name }) => name)).toEqual([
      ...["check-ssh-backup", "adopt-ssh-backup-keys", "keep-ssh-state", "bring-ssh-snapshot", "build-ssh-etcd"],
      ...["claim-ssh-machine-if-lost", "install-ssh-containerd-if-lost", "prepare-ssh-machine-if-lost"],
      ...["bring-ssh-artifacts-if-lost", "refound-ssh-control-plane"],
      ...["stop-ssh-control-plane", "restore-ssh-etcd", "begin-ssh-etcd", "start-ssh-control-plane"],
      ...["refresh-ssh-kubelet", "join-ssh-node", "wait-for-ssh-nodes", "forget-ssh-strays"],
      ...["rewrite-ssh-secrets", "settle-ssh-encryption", "configure-ssh-control-plane", "wait-for-ssh-nodes"],
      ...["clear-ssh-restore", "verify-cluster-answers"],
    ]);
  });

  it("has certificates that were seen, and none before anybody has looked", async () => {
    const { json } = await test.ask("GET", "/api/v1/clusters/prod/certificates", { as: "viewer" });
    expect(json).toEqual({ items: [], seenTime: null });
    expect((await post("renew")).status).toBe(202);
    expect(await finish()).toMatchObject({ kind: "renew", planHash: null });
  });

  it("has join tokens that can be rotated, and an encryption key only where Secrets are encrypted", async () => {
    expect((await post("rotate-encryption-key")).json).toMatchObject({
      ...{ code: "job-kind-unsupported", detail: expect.stringContaining("encryptSecrets") },
    });
    expect((await post("rotate-tokens")).status).toBe(202);
    const job = await finish();
    expect(job).toMatchObject({ kind: "renew", reason: "Rotation of the tokens." });
    const plan = (await test.store.read.getPlan(job.planHash ?? "")) as unknown as {
      steps: readonly { name: string }[];
    };
    expect(plan.steps.map(({ name }) => name)).toEqual(["rotate-ssh-tokens", "verify-cluster-answers"]);
  });

  it("and certificates are looked after where etcd is apart from the API servers too", async () => {
    const body = DOCUMENT.replace("name: prod", "name: apart").replace(
      "nodes: [{ name: cp-1, address: 192.0.2.1, roles: [controlplane, etcd] }]",
      "etcd: { topology: separate }\n    nodes: [{ name: cp-1, address: 192.0.2.2, roles: [controlplane] }, { name: db-1, address: 192.0.2.3, roles: [worker, etcd] }]",
    );
    expect((await test.ask("POST", "/api/v1/clusters", { body })).status).toBe(202);
    await finish();
    expect((await test.ask("POST", "/api/v1/clusters/apart/backup", { body: {} })).status).toBe(202);
    await finish();
    expect((await test.ask("POST", "/api/v1/clusters/apart/renew", { body: {} })).status).toBe(202);
    await finish();
  });
});
