import { type DroverError, isDroverError } from "@drover/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestApp } from "../../test/app.ts";
import type { Store } from "../ports/store/index.ts";
import type { App } from "./app.ts";
import { declareCluster } from "./declare-cluster.ts";

const actor = { type: "user", name: "ada", address: "127.0.0.1" } as const;

const document = (name: string, more = "") => `
apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata:
  name: ${name}
spec:
  provider: simulated
  kubernetes:
    version: v1.34.4
  simulated:
    controlPlanes: 1
    workers: 2
${more}`;

describe("declaring a cluster from text", () => {
  let app: App;
  let store: Store;
  let dispose: () => Promise<void>;

  beforeEach(async () => {
    ({ app, store, dispose } = await openTestApp());
  });
  afterEach(() => dispose());

  const refusal = async (text: string): Promise<DroverError> => {
    const error: unknown = await declareCluster(app, { text, actor }).catch((reason: unknown) => reason);
    if (!isDroverError(error)) throw new Error(`expected a refusal, got ${String(error)}`);
    return error;
  };

  it("stores what is good, with its job", async () => {
    const { outcome, job, cluster } = await declareCluster(app, { text: document("dev"), actor });
    expect([outcome, job?.kind, cluster.phase]).toEqual(["created", "create", "Pending"]);
  });

  it("does nothing when the same document comes again in another order", async () => {
    await declareCluster(app, { text: document("dev"), actor });
    const again = document("dev").replace(/(apiVersion.*)\n(kind.*)/, "$2\n$1");
    expect((await declareCluster(app, { text: again, actor })).outcome).toBe("unchanged");
  });

  it("calls a new version of a cluster that runs an upgrade", async () => {
    await declareCluster(app, { text: document("dev"), actor });
    const worker = { id: "w", host: "h", providers: ["simulated"], hostBound: [] };
    for (const { ref } of await store.jobs.claimJobs(worker, { limit: 1, leaseMs: 60_000 })) {
      await store.jobs.finishJobs([{ ref, state: "Succeeded" }]);
    }
    const newer = document("dev").replace("v1.34.4", "v1.34.5");
    expect((await declareCluster(app, { text: newer, actor })).job?.kind).toBe("upgrade");
  });

  it.each([
    ["a name like an option", document('"-rf"'), "metadata.name"],
    ["a name like a path", document("../x"), "metadata.name"],
    ["an unknown field", document("dev", "  colour: blue\n"), "spec.colour"],
    ["a wrong type", document("dev").replace("workers: 2", "workers: many"), "spec.simulated.workers"],
    ["a prototype key", document("dev", '  "__proto__": {a: 1}\n'), "spec.__proto__"],
    ["a control character", document("dev", '  placement: {host: "a\\u0007b"}\n'), "spec.placement.host"],
  ])("refuses %s with its path and line, and stores nothing", async (_name, text, path) => {
    const error = await refusal(text);
    expect(error.code).toBe("validation-failed");
    const problem = error.problems.find((candidate) => candidate.path === path);
    expect(problem, JSON.stringify(error.problems)).toBeDefined();
    expect(problem?.message).toMatch(/\(line \d+\)$/);
    expect(problem?.next).not.toBe("");
    expect((await store.read.countClusters({})).total).toBe(0);
    expect(await store.read.lastEventCursor()).toBe(0);
  });

  it("refuses to delete by a declaration, for a new cluster and for one whose deletion was cancelled", async () => {
    const absent = document("dev", "  desiredState: absent\n");
    expect(await refusal(absent)).toMatchObject({
      code: "validation-failed",
      problems: [{ path: "spec.desiredState", next: expect.stringContaining("drover delete dev") }],
    });
    expect((await store.read.countClusters({})).total).toBe(0);
    await declareCluster(app, { text: document("dev"), actor });
    await store.desired.deleteCluster({ name: "dev", actor });
    const worker = { id: "w", host: "h", providers: ["simulated"], hostBound: [] };
    for (const { ref } of await store.jobs.claimJobs(worker, { limit: 1, leaseMs: 60_000 })) {
      await store.jobs.finishJobs([{ ref, state: "Canceled" }]);
    }
    expect((await refusal(absent)).code).toBe("cluster-deleting");
    expect((await declareCluster(app, { text: document("dev"), actor })).cluster.desiredState).toBe("present");
  });

  it("says everything that is wrong at once", async () => {
    const { problems } = await refusal(document("-x", "  colour: blue\n").replace("workers: 2", "workers: -2"));
    expect(problems.map(({ path }) => path).sort()).toEqual(["metadata.name", "spec.colour", "spec.simulated.workers"]);
  });

  it.each([
    ["nothing", "", "document-unparsable"],
    ["two documents", `${document("a")}---${document("b")}`, "document-unparsable"],
    ["broken YAML", "a: [", "validation-failed"],
  ])("refuses %s", async (_name, text, code) => {
    expect((await refusal(text)).code).toBe(code);
  });
});
