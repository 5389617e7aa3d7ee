import { expect, it } from "vitest";
import { createPostgresDatabase, createSqliteDatabase } from "../../test/database.ts";
import { openStore } from "./open-store.ts";
import { masterKey } from "./secrets/key-ring.ts";
import { openRawDatabase } from "./sqlite/raw-database.ts";

const keys = { current: masterKey(Buffer.alloc(32, 1)), older: [] };
const actor = { type: "user", name: "ada" } as const;
const worker = { id: "w1", host: "h1", providers: ["simulated"], hostBound: [] };
for (const [name, make] of [
  ["sqlite", async () => createSqliteDatabase(openRawDatabase)],
  ["postgres", createPostgresDatabase],
] as const) {
  it(`${name} works`, async () => {
    const db = await make();
    const store = await openStore({ url: db.url, keys });
    const spec = { provider: "simulated", desiredState: "present" } as never;
    const r = await store.desired.declareCluster({ name: "dev", spec, labels: { env: "x" }, jobKind: "create", actor });
    expect(r.outcome).toBe("created");
    expect(r.cluster.phase).toBe("Pending");
    const [c] = await store.jobs.claimJobs(worker, { limit: 10, leaseMs: 1000 });
    expect(c?.cluster.phase).toBe("Creating");
    await store.jobs.beginPlan(c!.ref, {
      hash: "h",
      body: {},
      steps: [{ stepId: "a", name: "a", title: "A", host: "local" }],
    });
    await store.jobs.saveSteps(c!.ref, [{ stepId: "a", state: "Succeeded" }]);
    await store.jobs.appendLog(c!.ref, [{ stepId: "a", host: "local", stream: "stdout", text: "hello" }]);
    const d = await store.desired.deleteCluster({ name: "dev", actor });
    expect(d.cluster.phase).toBe("Canceling");
    await store.jobs.finishJobs([{ ref: c!.ref, state: "Succeeded" }]);
    const [del] = await store.jobs.claimJobs(worker, { limit: 10, leaseMs: 1000 });
    expect(del?.job.kind).toBe("delete");
    await store.jobs.finishDeletion(del!.ref, { seen: "gone" });
    expect((await store.read.listClusters({ limit: 10 })).items).toEqual([]);
    const events = await store.read.readEvents({ after: 0, limit: 100 });
    expect(events.events.map((e) => e.kind)).toHaveLength(9);
    expect(await store.audit.verifyAudit()).toMatchObject({ ok: true, checked: 3 });
    await store.upkeep.backUp(`/tmp/w/${name}.bak`);
    await store.close();
    await db.dispose();
  });
}
