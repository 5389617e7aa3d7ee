import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestApp } from "../../test/app.ts";
import { simulatedSpec } from "../../test/simulated-bench.ts";
import type { DeletionRecord } from "./deletion-record.ts";

const ada = { type: "user", name: "ada" } as const;

describe("the record of a deletion", () => {
  let test: Awaited<ReturnType<typeof openTestApp>>;
  beforeEach(async () => {
    test = await openTestApp();
  });
  afterEach(() => test.dispose());

  async function make(faults: readonly object[] = [], workers = 2): Promise<string> {
    const spec = simulatedSpec({ workers, faults: faults as never });
    const { cluster } = await test.store.desired.declareCluster({ name: "dev", spec, jobKind: "create", actor: ada });
    await test.settle();
    return cluster.id;
  }

  const recordOf = async (id: string) => (await test.store.read.getCluster(id))?.deletionRecord as DeletionRecord;

  it("reads as a proof: what was looked for, seen gone when, by whom, and who wanted it", async () => {
    const id = await make();
    // A node that went away long before the end belongs to the proof too.
    const spec = simulatedSpec({ workers: 1 });
    await test.store.desired.declareCluster({ name: "dev", spec, jobKind: "update", actor: ada });
    await test.settle();
    const { job } = await test.store.desired.deleteCluster({ name: "dev", actor: ada, reason: "the project is over" });
    await test.settle();
    const found = await recordOf(id);
    // The two workers were made side by side.
    const record = { ...found, gone: found.gone.toSorted((left, right) => left.ref.localeCompare(right.ref)) };
    const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT/);
    const gone = [
      "dev",
      "dev/simulated-dev-control-plane-1",
      "dev/simulated-dev-worker-1",
      "dev/simulated-dev-worker-2",
    ];
    expect(record).toEqual({
      summary: expect.stringMatching(
        /^Everything of dev is gone\. 4 things were made for it; the last was seen gone at 20\S+Z\. The worker w1 looked for all of it at 20\S+Z\. Simulated: there is nothing of this cluster\.$/,
      ),
      ...{ clusterId: id, clusterName: "dev", provider: "simulated", jobId: job?.id, worker: "w1", lookedAt: time },
      ...{ requestedBy: "ada", reason: "the project is over", left: [], blocker: null },
      gone: gone.map((ref) => ({
        ...{ system: "simulated", kind: ref === "dev" ? "cluster" : "node", ref, madeAt: time, goneAt: time },
      })),
    });
  });

  it("says so when nothing was ever made", async () => {
    const { cluster, job } = await test.store.desired.declareCluster({
      ...{ name: "dev", spec: simulatedSpec(), jobKind: "create", actor: ada },
    });
    await test.store.desired.cancelJob({ jobId: job?.id ?? "", actor: ada });
    await test.store.desired.deleteCluster({ name: "dev", actor: ada });
    await test.settle();
    expect((await recordOf(cluster.id)).summary).toContain("Nothing was ever made for it.");
  });

  const stuck = { operation: "delete", effect: "fail" };

  it("is not there while something is in the way, which is named", async () => {
    const id = await make([stuck], 1);
    const { job } = await test.store.desired.deleteCluster({ name: "dev", actor: ada });
    await test.settle();
    expect(await recordOf(id)).toBeNull();
    expect((await test.store.read.getJob(job?.id ?? ""))?.error?.message).toContain("Remove every node");
  }, 30_000);

  it("lists what is left when somebody wants the cluster released all the same", async () => {
    const id = await make([stuck], 1);
    await test.store.desired.deleteCluster({ name: "dev", releaseLeftovers: true, actor: ada });
    await test.settle();
    const record = await recordOf(id);
    expect(record.left).toEqual([
      "simulated cluster dev",
      "simulated node dev/simulated-dev-control-plane-1",
      "simulated node dev/simulated-dev-worker-1",
    ]);
    expect(record.blocker?.message).toContain("Remove every node");
    expect(record.summary).toContain(
      "dev was released, though not all of it was seen gone. Maybe still there: simulated",
    );
    expect(await test.store.read.findCluster("dev")).toBeNull();
    // The ledger goes on naming it, so that it can be found.
    expect(await test.store.read.listExternalObjects({ clusterId: id })).toHaveLength(3);
  }, 30_000);

  it("is the ordinary proof when a release was not needed after all", async () => {
    const id = await make();
    await test.store.desired.deleteCluster({ name: "dev", releaseLeftovers: true, actor: ada });
    await test.settle();
    expect(await recordOf(id)).toMatchObject({ left: [], blocker: null });
  });
});
