import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer } from "../../../test/http.ts";
import type { App } from "../../app/app.ts";
import { BatchDriver } from "../../app/batches/batch-driver.ts";
import { systemTimer } from "../../ports/timer.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
const NAMES = ["b-1", "b-2", "b-3", "b-4", "b-5"];
beforeAll(async () => {
  test = await openTestServer();
  for (const name of NAMES) await declare(name, { set: "b", odd: String(Number(name.at(-1)) % 2) });
  await declare("other", { set: "other" });
  await test.settle();
});
afterAll(() => test.dispose());

async function declare(name: string, labels: Readonly<Record<string, string>>, simulated = {}, more = {}) {
  const spec = { provider: "simulated", simulated, ...more };
  const body = { apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name, labels }, spec };
  expect((await test.ask("POST", "/api/v1/clusters", { body: JSON.stringify(body) })).status).toBe(202);
}

const text = (value: unknown) => String(value);
const stop = new AbortController().signal;
const makeDriver = (app: App = test.app, holder = "d1") =>
  new BatchDriver({ app, holder, timer: systemTimer, onError: () => {} });
const drive = () => makeDriver().runOnce(stop);

const start = (more: object, as?: `drv_${string}`) =>
  test.ask("POST", "/api/v1/batches", { body: { reason: "why", ...more }, ...(as === undefined ? {} : { as }) });
const show = async (id: unknown) => (await test.ask("GET", `/api/v1/batches/${String(id)}`)).json;
const results = async (id: unknown) =>
  (await test.ask("GET", `/api/v1/batches/${String(id)}/results`)).json.items as unknown as readonly {
    readonly cluster: string;
    readonly state: string;
    readonly jobId: string | null;
    readonly message: string;
  }[];
const jobsOf = async (name: string) => {
  const { id: clusterId = "" } = (await test.store.read.findCluster(name)) ?? {};
  return (await test.store.read.listJobs({ clusterId, limit: 100 })).items;
};

describe("a batch", () => {
  it("does one thing to the clusters that a selector met, wave by wave", async () => {
    const made = await start({ operation: "reconcile", selector: "set=b", waveSize: 2 });
    expect(made.status).toBe(202);
    expect(made.json).toMatchObject({ state: "Running", total: 5, done: 0, wave: 1, createdBy: "tester/admin" });
    await declare("late", { set: "b" });
    await drive();
    await drive();
    const states = (await results(made.json.id)).map(({ cluster, state }) => `${cluster} ${state}`);
    expect(states).toEqual(["b-1 Running", "b-2 Running", "b-3 Waiting", "b-4 Waiting", "b-5 Waiting"]);
    for (let pass = 0; pass < 3; pass += 1) {
      await test.settle();
      await drive();
    }
    expect(await show(made.json.id)).toMatchObject({ state: "Succeeded", done: 5, failed: 0, wave: 3 });
    const jobs = await jobsOf("b-1");
    expect(jobs.map(({ kind, reason, createdBy }) => [kind, reason, createdBy])).toEqual([
      ["repair", "why", "tester/admin"],
      ["create", "", "tester/admin"],
    ]);
    expect(await jobsOf("late")).toHaveLength(1);
    expect((await test.ask("POST", `/api/v1/batches/${text(made.json.id)}/cancel`)).json.code).toBe("batch-finished");
  });

  it("labels, pauses, resumes and upgrades", async () => {
    const labelled = await start({ operation: "label", clusters: ["b-1", "b-2"], labels: { team: "red" } });
    const paused = await start({ operation: "pause", clusters: ["b-1"] });
    await drive();
    expect(await show(labelled.json.id)).toMatchObject({ state: "Succeeded", done: 2 });
    const cluster = await test.store.read.findCluster("b-1");
    expect([cluster?.labels["team"], cluster?.modifiers]).toEqual(["red", ["Paused"]]);
    expect(await show(paused.json.id)).toMatchObject({ state: "Succeeded" });
    await start({ operation: "resume", clusters: ["b-1"] });
    await drive();
    await declare("old", { set: "old" }, {}, { kubernetes: { version: "v1.34.0" } });
    await test.settle();
    const upgrade = await start({ operation: "upgrade", clusters: ["old"], version: "v1.35.0" });
    await drive();
    await test.settle();
    await drive();
    expect(await show(upgrade.json.id)).toMatchObject({ state: "Succeeded" });
    const shown = await test.ask("GET", "/api/v1/clusters/old");
    expect(shown.json.status?.kubernetesVersion).toBe("v1.35.0");
    const wrong = await start({ operation: "upgrade", clusters: ["old"], version: "v1.10.0" });
    await drive();
    expect(await results(wrong.json.id)).toMatchObject([
      { state: "Failed", message: expect.stringContaining("spec.kubernetes.version") },
    ]);
  });

  it("says of each cluster why it failed, and stops when too many did", async () => {
    const upgrade = { operation: "upgrade", version: "v1.10.0" };
    const made = await start({ ...upgrade, clusters: ["b-1", "b-2", "b-3"], waveSize: 1, maxFailures: 1 });
    await drive();
    expect(await show(made.json.id)).toMatchObject({ state: "Failed", failed: 2, done: 2 });
    expect(await results(made.json.id)).toMatchObject([
      { state: "Failed", message: expect.stringContaining("validation-failed") },
      { state: "Failed" },
      { state: "Skipped", message: "Too many others failed." },
    ]);
  });

  it("puts clusters to sleep, and wakes them", async () => {
    for (const [operation, phase] of [
      ["hibernate", "Hibernated"],
      ["wake", "Running"],
    ] as const) {
      const made = await start({ operation, clusters: ["b-1", "b-2"] });
      await drive();
      await test.settle();
      await drive();
      expect(await show(made.json.id)).toMatchObject({ state: "Succeeded", done: 2 });
      for (const name of ["b-1", "b-2"]) expect((await test.store.read.findCluster(name))?.phase).toBe(phase);
    }
  });

  it("waits for a job that is there already", async () => {
    await test.ask("POST", "/api/v1/clusters/b-4/reconcile", { body: {} });
    const made = await start({ operation: "reconcile", clusters: ["b-4", "b-5"] });
    await drive();
    expect((await results(made.json.id)).map(({ state }) => state)).toEqual(["Waiting", "Running"]);
    await test.settle();
    await drive();
    expect((await results(made.json.id)).map(({ state }) => state)).toEqual(["Running", "Succeeded"]);
    await test.settle();
    await drive();
    expect(await show(made.json.id)).toMatchObject({ state: "Succeeded", done: 2 });
  });

  it("is paused, resumed and cancelled", async () => {
    const made = await start({ operation: "label", selector: "set=b", labels: { x: "1" }, waveSize: 1 });
    const id = text(made.json.id);
    expect((await test.ask("POST", `/api/v1/batches/${id}/pause`)).json).toMatchObject({ state: "Paused" });
    await drive();
    expect(await show(id)).toMatchObject({ state: "Paused", done: 0 });
    expect((await test.ask("POST", `/api/v1/batches/${id}/resume`, { as: "viewer" })).status).toBe(403);
    expect((await test.ask("POST", `/api/v1/batches/${id}/resume`)).json).toMatchObject({ state: "Running" });
    expect((await test.ask("POST", `/api/v1/batches/${id}/cancel`)).json).toMatchObject({ state: "Canceled" });
    await drive();
    expect((await results(id)).map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => "Skipped"));
    expect((await test.ask("GET", "/api/v1/batches?limit=1")).json).toMatchObject({ items: [{ id }] });
  });

  it("deletes only with consent, and is done when they are gone", async () => {
    for (const name of ["gone-1", "gone-2"]) await declare(name, { set: "gone" });
    await test.settle();
    expect((await start({ operation: "delete", selector: "set=gone" })).json.code).toBe("consent-required");
    const made = await start({ operation: "delete", selector: "set=gone", consent: true });
    await drive();
    await test.settle();
    await drive();
    expect(await show(made.json.id)).toMatchObject({ state: "Succeeded", done: 2 });
    expect(await test.store.read.findCluster("gone-1")).toBeNull();
  });

  it("is refused with everything that is wrong with it", async () => {
    const wrong = await start({ operation: "upgrade", clusters: ["b-1", "none", "b-1"], labels: { a: "b" } });
    expect(wrong.json.code).toBe("validation-failed");
    expect(
      (wrong.json.problems as unknown as { path: string; code: string }[]).map(({ path, code }) => [path, code]),
    ).toEqual([
      ["version", "field-needed"],
      ["labels", "field-excluded"],
      ["clusters[1]", "unknown-value"],
      ["clusters[2]", "duplicate"],
    ]);
    for (const more of [{}, { clusters: ["b-1"], selector: "a" }, { selector: "((" }, { selector: "set=nothing" }]) {
      expect((await start({ operation: "reconcile", ...more })).json.code).toBe("validation-failed");
    }
    expect((await test.ask("GET", "/api/v1/batches/none")).json.code).toBe("batch-not-found");
  });

  it("answers a repeated Idempotency-Key with the same batch", async () => {
    const ask = (labels: object) =>
      test.ask("POST", "/api/v1/batches", {
        body: { operation: "label", clusters: ["b-1"], labels, reason: "why" },
        headers: { "idempotency-key": "once" },
      });
    const [first, second] = [await ask({ y: "1" }), await ask({ y: "1" })];
    expect(second.json.id).toBe(first.json.id);
    expect((await ask({ y: "2" })).json.code).toBe("idempotency-key-reused");
    await drive();
  });
});

describe("scopes", () => {
  it("bound what a batch may reach, also when labels change afterwards", async () => {
    const as = await test.makeToken("operator", ["odd=1"]);
    expect((await start({ operation: "reconcile", clusters: ["b-2"] }, as)).json.code).toBe("validation-failed");
    const made = await start({ operation: "label", selector: "set=b", labels: { z: "1" }, waveSize: 1 }, as);
    expect(made.json.total).toBe(3);
    const escaping = await start({ operation: "label", clusters: ["b-3"], labels: { odd: "0" } }, as);
    await start({ operation: "label", clusters: ["b-5"], labels: { odd: "0" } });
    await test.store.batches.steerBatch({ type: "system", name: "t" }, text(made.json.id), "Paused");
    await drive();
    await test.store.batches.steerBatch({ type: "system", name: "t" }, text(made.json.id), "Running");
    await drive();
    expect((await results(made.json.id)).map(({ state }) => state)).toEqual(["Succeeded", "Succeeded", "Failed"]);
    expect(await results(escaping.json.id)).toMatchObject([
      { state: "Failed", message: expect.stringMatching(/forbidden/) },
    ]);
    expect((await test.store.read.findCluster("b-5"))?.labels["z"]).toBeUndefined();
  });

  it("hide batches with members that one may not see", async () => {
    const as = await test.makeToken("operator", ["set=other"]);
    const made = await start({ operation: "label", clusters: ["b-1", "other"], labels: { s: "1" } });
    const own = await start({ operation: "label", clusters: ["other"], labels: { s: "2" } }, as);
    const id = text(made.json.id);
    for (const [method, path] of [
      ["GET", id],
      ["GET", `${id}/results`],
      ["POST", `${id}/cancel`],
    ] as const) {
      expect((await test.ask(method, `/api/v1/batches/${path}`, { as })).json.code).toBe("batch-not-found");
    }
    expect((await test.ask("GET", "/api/v1/batches", { as })).json.items).toMatchObject([{ id: own.json.id }]);
    await drive();
  });
});

describe("whoever drives batches", () => {
  /** A server that dies at its nth call of the store, before or after the call was done; whatever it calls then is lost. */
  const dyingAt = (call: number, when: "before" | "after") => {
    const life = { calls: 0, died: false };
    const pass = async (work: () => Promise<unknown>): Promise<unknown> => {
      if (life.died) throw new Error("The process is dead.");
      life.calls += 1;
      const isLast = life.calls === call;
      if (isLast && when === "after") await work();
      if (isLast) life.died = true;
      return await (isLast ? Promise.reject(new Error("The process died.")) : work());
    };
    type Methods = Readonly<Record<string, (...parameters: unknown[]) => Promise<unknown>>>;
    const mortal = (methods: object): unknown =>
      Object.fromEntries(
        Object.entries(methods as Methods).map(([name, method]) => [
          name,
          (...parameters: unknown[]) => pass(() => method(...parameters)),
        ]),
      );
    const { batches, leases, desired, read, ...others } = test.app.store;
    const store = { batches, leases, desired, read };
    const parts = Object.entries(store).map(([area, methods]) => [area, mortal(methods)]);
    const app = { ...test.app, store: { ...others, ...Object.fromEntries(parts) } } as unknown as App;
    return { app, life };
  };

  it("may die at any call, before or after it was done: the next one goes on, and nothing is begun twice", async () => {
    let deaths = 0;
    for (const when of ["before", "after"] as const) {
      for (let call = 1; ; call += 1) {
        const before = (await jobsOf("b-4")).length;
        const made = await start({ operation: "reconcile", clusters: ["b-4", "b-2"], waveSize: 1 });
        const { app, life } = dyingAt(call, when);
        await makeDriver(app, "d1")
          .runOnce(stop)
          .catch(() => {});
        deaths += life.died ? 1 : 0;
        for (let pass = 0; pass < 3; pass += 1) {
          // The lease of the dead is its own again: nobody waits for it to run out.
          await makeDriver(test.app, "d1").runOnce(stop);
          await test.settle();
        }
        await drive();
        expect(await show(made.json.id)).toMatchObject({ state: "Succeeded", done: 2, failed: 0 });
        expect((await jobsOf("b-4")).length).toBe(before + 1);
        if (!life.died) break;
      }
    }
    expect(deaths).toBeGreaterThan(10);
  }, 120_000);

  it("begins nothing twice when two do it at once, and leaves it to who holds the lease", async () => {
    const before = (await jobsOf("b-3")).length;
    const made = await start({ operation: "reconcile", clusters: ["b-3"] });
    const lease = await test.store.leases.acquireLease({ key: "batches", holder: "elsewhere", ttlMs: 60_000 });
    await drive();
    expect((await results(made.json.id)).map(({ state }) => state)).toEqual(["Waiting"]);
    if (lease !== null) await test.store.leases.releaseLease(lease);
    const unguarded: App = {
      ...test.app,
      store: {
        ...test.app.store,
        leases: { ...test.app.store.leases, acquireLease: async () => lease, renewLease: async () => true },
      },
    };
    await Promise.all([makeDriver(unguarded, "d1").runOnce(stop), makeDriver(unguarded, "d2").runOnce(stop)]);
    expect((await jobsOf("b-3")).length).toBe(before + 1);
    await test.settle();
    await drive();
    expect(await show(made.json.id)).toMatchObject({ state: "Succeeded" });
  });

  it("is woken by a new batch and by the end of jobs", async () => {
    const stopping = new AbortController();
    const running = makeDriver(test.app, "loop").run(stopping.signal);
    const made = await start({ operation: "reconcile", clusters: ["b-1", "b-2"], waveSize: 1 });
    const worked = new AbortController();
    const working = test.makeWorker("w3").run(worked.signal);
    await expect.poll(async () => (await show(made.json.id)).state).toBe("Succeeded");
    stopping.abort();
    worked.abort();
    await Promise.all([running, working]);
  });
});
