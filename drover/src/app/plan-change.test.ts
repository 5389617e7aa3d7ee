import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestApp } from "../../test/app.ts";
import { type Plan, planHash } from "../domain/plan.ts";
import { sha256 } from "../lib/sha256.ts";
import {
  cancelJob,
  deleteCluster,
  diffRevisions,
  listHistory,
  retryJob,
  rollback,
  setPaused,
} from "./change-cluster.ts";
import { declareCluster } from "./declare-cluster.ts";
import { applyPlan, planChange } from "./plan-change.ts";

const actor = { type: "user", name: "ada" } as const;
const document = (workers: number) => `
apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata: {name: dev}
spec:
  provider: simulated
  kubernetes: {version: v1.34.4}
  simulated: {controlPlanes: 1, workers: ${workers}, latency: {minimumMs: 0, maximumMs: 0}}
`;

describe("plans and changes", () => {
  let test: Awaited<ReturnType<typeof openTestApp>>;
  beforeEach(async () => {
    test = await openTestApp();
  });
  afterEach(() => test.dispose());

  const jobs = async () => (await test.store.read.listJobs({ limit: 10 })).items;
  const found = () => test.app.providers.get("simulated")?.list(new AbortController().signal);
  const phase = async () => (await test.store.read.findCluster("dev"))?.phase;

  it("executes the very plan that was previewed, and previewing touches nothing", async () => {
    const planned = await planChange(test.app, document(2));
    expect(planned.plan?.steps.some(({ changes }) => changes.length > 0)).toBe(true);
    expect(await found()).toEqual([]);
    expect(test.world.records).toEqual([]);
    expect(await test.store.read.listExternalObjects({ includeGone: true })).toEqual([]);
    expect(await test.store.read.lastEventCursor()).toBe(0);
    const { hash, baseVersion } = planned;
    const applied = await applyPlan(test.app, { text: document(2), hash: hash ?? "", baseVersion, actor });
    await test.settle();
    const job = await test.store.read.getJob(applied.job?.id ?? "");
    expect([job?.state, job?.planHash, job?.error]).toEqual(["Succeeded", hash, null]);
    expect(job?.report).toMatchObject({ planHash: hash });
    const executed = (await test.store.read.getPlan(hash ?? "")) as unknown as Plan;
    expect(planHash(executed, sha256)).toBe(hash);
    const steps = await test.store.read.listSteps(job?.id ?? "");
    expect(steps.map(({ stepId }) => stepId)).toEqual(planned.plan?.steps.map(({ id }) => id));
    expect(await phase()).toBe("Running");
  });

  it("executes the previewed plan of a change too", async () => {
    await declareCluster(test.app, { text: document(1), actor });
    await test.settle();
    const { hash, baseVersion } = await planChange(test.app, document(3));
    const { job } = await applyPlan(test.app, { text: document(3), hash: hash ?? "", baseVersion, actor });
    await test.settle();
    expect(await test.store.read.getJob(job?.id ?? "")).toMatchObject({ state: "Succeeded", planHash: hash });
  });

  it("refuses a plan that went stale, and stores nothing", async () => {
    const { hash, baseVersion } = await planChange(test.app, document(2));
    await declareCluster(test.app, { text: document(1), actor });
    const stale = applyPlan(test.app, { text: document(2), hash: hash ?? "", baseVersion, actor });
    await expect(stale).rejects.toMatchObject({ code: "plan-stale" });
    expect(await jobs()).toHaveLength(1);
  });

  it("does not execute a plan that went stale after it was applied, and says so by its code", async () => {
    await declareCluster(test.app, { text: document(2), actor });
    await test.settle();
    const { hash, baseVersion } = await planChange(test.app, document(3));
    const { job, cluster } = await applyPlan(test.app, { text: document(3), hash: hash ?? "", baseVersion, actor });
    const mark = { clusterId: cluster.id, clusterName: "dev", key: null, token: null, operation: null };
    test.world.append([{ call: "disturb", ...mark, input: { disturbance: "node-lost" } }]);
    const before = test.world.records.length;
    await test.settle();
    const ended = await test.store.read.getJob(job?.id ?? "");
    expect(ended).toMatchObject({ state: "Failed", error: { code: "plan-stale" }, planHash: hash });
    expect(await test.store.read.listSteps(job?.id ?? "")).toEqual([]);
    expect(test.world.records.slice(before).filter(({ call }) => call !== "observe")).toEqual([]);
  });

  it("plans nothing when nothing changes", async () => {
    await declareCluster(test.app, { text: document(1), actor });
    await test.settle();
    expect(await planChange(test.app, document(1))).toMatchObject({ plan: null, hash: null, jobKind: null });
  });

  it("rolls back as a new generation, with the reason in the history", async () => {
    await declareCluster(test.app, { text: document(1), actor });
    await test.settle();
    await declareCluster(test.app, { text: document(3), actor });
    await test.settle();
    await rollback(test.app, { name: "dev", generation: 1, actor, reason: "three were too many" });
    await test.settle();
    const history = await listHistory(test.app, "dev");
    expect(history.map(({ generation, reason }) => [generation, reason])).toEqual([
      [3, "three were too many"],
      [2, ""],
      [1, ""],
    ]);
    expect((await diffRevisions(test.app, "dev", 1, 3)).changes).toEqual([]);
    expect((await diffRevisions(test.app, "dev", 1, 2)).changes.map(({ path }) => path)).toEqual([
      "spec.simulated.workers",
    ]);
  });

  it("pauses without a job, and changes nothing while paused", async () => {
    await declareCluster(test.app, { text: document(1), actor });
    await test.settle();
    const { job, cluster } = await setPaused(test.app, { name: "dev", paused: true, actor });
    expect([job, cluster.modifiers, cluster.observedGeneration]).toEqual([null, ["Paused"], cluster.generation]);
    await declareCluster(test.app, {
      text: document(2).replace("spec:", "spec:\n  maintenance: {paused: true}"),
      actor,
    });
    await test.settle();
    expect((await jobs())[0]).toMatchObject({ kind: "update", state: "Pending" });
    await setPaused(test.app, { name: "dev", paused: false, actor });
    await test.settle();
    expect((await jobs())[0]).toMatchObject({ kind: "update", state: "Succeeded" });
  });

  it("cancels a job that waits, and deletes with a record of what was seen gone", async () => {
    const { job } = await declareCluster(test.app, { text: document(1), actor });
    expect((await cancelJob(test.app, { jobId: job?.id ?? "", actor })).state).toBe("Canceled");
    expect(await phase()).toBe("Unavailable");
    await retryJob(test.app, { jobId: job?.id ?? "", actor });
    await test.settle();
    const { cluster } = await deleteCluster(test.app, { name: "dev", actor });
    await test.settle();
    const gone = await test.store.read.getCluster(cluster.id);
    expect(gone?.deletedAt).not.toBeNull();
    expect(JSON.stringify(gone?.deletionRecord)).toContain("gone");
    expect(await found()).toEqual([]);
  });
});
