import { describe, expect, test } from "vitest";
import { ada, openCancelWorld, specOf } from "../../test/cancel-world.ts";
import { postgresSubject, sqliteSubject } from "../../test/store-world.ts";
import { cancelJob, retryJob } from "../app/change-cluster.ts";

type CancelWorld = Awaited<ReturnType<typeof openCancelWorld>>;

describe.each([sqliteSubject("libsql"), postgresSubject])("cancelling, on $name", { concurrent: true }, (subject) => {
  const it = test.extend<{ world: CancelWorld }>({
    world: async ({ task: _ }, use) => {
      const world = await openCancelWorld(subject);
      await use(world);
      await world.dispose();
    },
  });

  /** Nothing is there that the store does not know of, nothing twice, and the other way round. */
  async function expectNoOrphan(world: CancelWorld, left: readonly string[] | "some") {
    const { there, known, doubles, staleEffects } = await world.compareLedgers();
    expect(known).toEqual(there);
    expect([doubles, staleEffects]).toEqual([[], []]);
    if (left !== "some") expect(there).toEqual(left);
  }

  const FIRST = "simulated-dev-control-plane-1";
  const CREATE_STEPS = [
    ["Shut out older workers", "job-taken-back"],
    ["Create the cluster", "job-taken-back"],
    [`Start ${FIRST}`, "job-taken-back"],
    ["Start simulated-dev-worker-2", "job-taken-back"],
    ["Configure the networks", "job-taken-back"],
    ["Mark the cluster as complete", "job-taken-back"],
  ] as const;

  for (const [title, code] of CREATE_STEPS) {
    it(`a create at "${title}" takes back what it made`, async ({ world }) => {
      world.hold(title);
      const jobId = await world.declare(specOf(2), "create");
      const { during, job, after } = await world.cancel(jobId);
      expect([during, after]).toEqual(["Canceling", "Unavailable"]);
      expect(job).toMatchObject({ state: "Canceled", error: { code }, cancelUndo: true });
      expect(job.report).toMatchObject({ cancellation: { effect: "taken-back", left: [] } });
      await expectNoOrphan(world, []);
      const retried = await retryJob(world.app, { jobId, actor: ada });
      expect(await world.waitForEnd(retried.id)).toMatchObject({ state: "Succeeded" });
      expect(await world.phase()).toBe("Running");
      await expectNoOrphan(world, "some");
    });
  }

  it("a create leaves what it made where somebody wants it so, and a retry goes on with it", async ({ world }) => {
    world.hold("Start simulated-dev-worker-2");
    const jobId = await world.declare(specOf(2), "create");
    const { job, after } = await world.cancel(jobId, { undo: false });
    expect(job).toMatchObject({ state: "Canceled", error: { code: "job-cut-off" } });
    expect(job.error?.message).toContain(`Still there: simulated cluster dev, simulated node dev/${FIRST}`);
    expect(after).toBe("Unavailable");
    const { there } = await world.compareLedgers();
    expect(there).toContain(`dev/${FIRST}`);
    const retried = await retryJob(world.app, { jobId, actor: ada });
    expect(await world.waitForEnd(retried.id)).toMatchObject({ state: "Succeeded" });
    await expectNoOrphan(world, "some");
  });

  for (const title of ["Create the cluster", "Start simulated-dev-worker-2", "Configure the networks"]) {
    it(`a create that waits for its next attempt at "${title}" takes back what it made`, async ({ world }) => {
      world.break(title);
      const jobId = await world.declare(specOf(2), "create");
      await world.waitForPostponed(jobId);
      expect((await world.compareLedgers()).there).not.toEqual([]);
      const asked = await cancelJob(world.app, { jobId, actor: ada });
      expect(asked).toMatchObject({ state: "Pending", cancelUndo: true, error: { code: "waiting" } });
      const job = await world.waitForEnd(jobId);
      expect(job).toMatchObject({ state: "Canceled", error: { code: "job-taken-back" } });
      expect(job.report).toMatchObject({ cancellation: { effect: "taken-back", left: [] } });
      expect(await world.phase()).toBe("Unavailable");
      await expectNoOrphan(world, []);
      world.mend();
      const retried = await retryJob(world.app, { jobId, actor: ada });
      expect(await world.waitForEnd(retried.id)).toMatchObject({ state: "Succeeded" });
      await expectNoOrphan(world, "some");
    });
  }

  it("a create that waits for its next attempt is Canceling until a worker comes", async ({ world }) => {
    world.break("Start simulated-dev-worker-2");
    const jobId = await world.declare(specOf(2), "create");
    await world.waitForPostponed(jobId);
    await world.stopWorker();
    await cancelJob(world.app, { jobId, actor: ada });
    expect(await world.phase()).toBe("Canceling");
    expect((await world.compareLedgers()).there).not.toEqual([]);
    world.startWorker();
    expect(await world.waitForEnd(jobId)).toMatchObject({ state: "Canceled", error: { code: "job-taken-back" } });
    await expectNoOrphan(world, []);
  });

  it("a create that waits for its next attempt leaves what it made where somebody wants it so", async ({ world }) => {
    world.break("Start simulated-dev-worker-2");
    const jobId = await world.declare(specOf(2), "create");
    await world.waitForPostponed(jobId);
    const canceled = await cancelJob(world.app, { jobId, undo: false, actor: ada });
    expect(canceled).toMatchObject({ state: "Canceled", error: { code: "job-cut-off" } });
    expect(await world.phase()).toBe("Unavailable");
    expect((await world.compareLedgers()).there).toContain(`dev/${FIRST}`);
    await expectNoOrphan(world, "some");
  });

  it("a create that waits ends at once, and nothing is there", async ({ world }) => {
    const { job } = await world.store.desired.declareCluster({
      ...{ name: "dev", spec: specOf(2), jobKind: "create", actor: ada },
      // While it is paused, no worker begins with it.
      spec: { ...specOf(2), maintenance: { ...specOf(2).maintenance, paused: true } },
    });
    expect(await world.phase()).toBe("Pending");
    const canceled = await cancelJob(world.app, { jobId: job?.id ?? "", actor: ada });
    expect(canceled).toMatchObject({ state: "Canceled", error: { code: "job-canceled" } });
    expect(await world.phase()).toBe("Unavailable");
    await expectNoOrphan(world, []);
  });

  it("a create that a deletion takes the place of is left to the deletion", async ({ world }) => {
    world.hold("Start simulated-dev-worker-2");
    const jobId = await world.declare(specOf(2), "create");
    const { during, job } = await world.deleteDuring(jobId);
    expect(during).toBe("Canceling");
    expect(job).toMatchObject({ state: "Canceled", error: { code: "job-cut-off" }, cancelUndo: false });
    expect(await world.waitForEnd(job.supersededBy ?? "")).toMatchObject({ state: "Succeeded" });
    expect(await world.phase()).toBe("Gone");
    await expectNoOrphan(world, []);
  });

  it("an update keeps what is finished and names what is not", async ({ world }) => {
    await world.settle(specOf(1), "create");
    world.hold("Start simulated-dev-worker-3");
    const jobId = await world.declare(specOf(3), "update");
    const { during, job, after } = await world.cancel(jobId);
    expect([during, after]).toEqual(["Canceling", "Unavailable"]);
    expect(job).toMatchObject({ state: "Canceled", error: { code: "job-cut-off" }, cancelUndo: false });
    expect(job.error?.message).toContain("Not done: ");
    expect(job.error?.message).toContain("Mark the cluster as complete");
    const retried = await retryJob(world.app, { jobId, actor: ada });
    expect(await world.waitForEnd(retried.id)).toMatchObject({ state: "Succeeded" });
    await expectNoOrphan(world, "some");
  });

  it("an upgrade keeps the nodes that are upgraded", async ({ world }) => {
    await world.settle(specOf(2), "create");
    world.hold("Upgrade simulated-dev-worker-1");
    const jobId = await world.declare(specOf(2, 35), "upgrade");
    const { during, job, after } = await world.cancel(jobId);
    expect([during, after]).toEqual(["Canceling", "Unavailable"]);
    expect(job).toMatchObject({ state: "Canceled", error: { code: "job-cut-off" } });
    await expectNoOrphan(world, "some");
    const retried = await retryJob(world.app, { jobId, actor: ada });
    expect(await world.waitForEnd(retried.id)).toMatchObject({ state: "Succeeded" });
    expect(await world.phase()).toBe("Running");
  });

  it("a repair keeps what it has mended", async ({ world }) => {
    await world.settle(specOf(2), "create");
    const node = "simulated-dev-worker-2";
    const cluster = await world.store.read.findCluster("dev");
    const mark = { clusterId: cluster?.id ?? "", clusterName: "dev", key: null, token: null };
    world.world.append([{ call: "disturb", operation: null, ...mark, input: { disturbance: "node-lost", node } }]);
    world.hold("Start simulated-dev-worker-2");
    const { id: jobId } = await world.store.desired.requestJob({ clusterName: "dev", kind: "repair", actor: ada });
    const { during, job, after } = await world.cancel(jobId);
    expect([during, after]).toEqual(["Canceling", "Unavailable"]);
    expect(job).toMatchObject({ state: "Canceled", error: { code: "job-cut-off" } });
    const retried = await retryJob(world.app, { jobId, actor: ada });
    expect(await world.waitForEnd(retried.id)).toMatchObject({ state: "Succeeded" });
    await expectNoOrphan(world, "some");
  });

  it("a delete stops where it is and names what is still there", async ({ world }) => {
    await world.settle(specOf(2), "create");
    world.hold("Remove every node");
    const { job: asked } = await world.store.desired.deleteCluster({ name: "dev", actor: ada });
    const { during, job, after } = await world.cancel(asked?.id ?? "");
    expect([during, after]).toEqual(["Canceling", "Unavailable"]);
    expect(job).toMatchObject({ state: "Canceled", error: { code: "job-cut-off" } });
    expect(job.error?.message).toContain("Still there: simulated cluster dev.");
    const retried = await retryJob(world.app, { jobId: job.id, actor: ada });
    expect(await world.waitForEnd(retried.id)).toMatchObject({ state: "Succeeded" });
    await expectNoOrphan(world, []);
  });

  it("an import leaves what it was to connect as it is", async ({ world }) => {
    const mark = { clusterId: "elsewhere", clusterName: "dev", key: null, token: null };
    world.world.append([{ call: "create-cluster", operation: null, ...mark, input: {} }]);
    world.hold("Take over what is there");
    const jobId = await world.declare(specOf(0), "import");
    const { during, job, after } = await world.cancel(jobId);
    expect([during, after]).toEqual(["Canceling", "Unavailable"]);
    expect(job).toMatchObject({ state: "Canceled", error: { code: "job-cut-off" }, cancelUndo: false });
    expect((await world.compareLedgers()).there).toEqual(["dev"]);
  });

  it("refuses to take back what is not a create", async ({ world }) => {
    await world.settle(specOf(1), "create");
    const jobId = await world.declare(specOf(3), "update");
    const refused = cancelJob(world.app, { jobId, undo: true, actor: ada });
    await expect(refused).rejects.toMatchObject({ code: "job-kind-unsupported" });
    expect(await world.waitForEnd(jobId)).toMatchObject({ state: "Succeeded" });
  });
});
