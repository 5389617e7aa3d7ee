import { JOB_KINDS, type JobKind } from "@drover/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SimulatedBench, simulatedCluster, simulatedSpec } from "../../test/simulated-bench.ts";
import { CHANGE_CLASSES } from "../domain/plan.ts";
import { unseen } from "../domain/sighting.ts";
import type { Provider, ProviderCluster } from "../ports/provider.ts";
import { makePlan } from "./make-plan.ts";

const KINDS = ["create", "update", "upgrade", "delete", "repair", "import", "hibernate", "wake"] as const;
const cluster = simulatedCluster("dev");

describe("making a plan", () => {
  it.each(KINDS)("of a %s gives the same plan and hash for the same, also after storing", async (kind) => {
    const bench = new SimulatedBench();
    if (kind === "wake") await bench.runJob(cluster, "create");
    const first = await bench.plan(cluster, kind);
    expect(await bench.plan(structuredClone(cluster) as ProviderCluster, kind)).toEqual(first);
    expect(JSON.parse(JSON.stringify(first))).toEqual(first);
    expect(first.plan.pipeline).toBe(`${kind}-cluster`);
    expect(first.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("of a wake is that of a repair where there is nothing whole that could be woken", async () => {
    const bench = new SimulatedBench();
    expect((await bench.plan(cluster, "wake")).plan.pipeline).toBe("repair-cluster");
    await bench.runJob(cluster, "create");
    await bench.runJob(cluster, "hibernate");
    expect((await bench.plan(cluster, "wake")).plan.pipeline).toBe("wake-cluster");
    const observed = { ...(await bench.look(cluster)), complete: false };
    expect((await bench.plan(cluster, "wake", { observed })).plan.pipeline).toBe("repair-cluster");
  });

  it("gives another hash for another spec, another kind and another reality", async () => {
    const bench = new SimulatedBench();
    const hashes = [
      await bench.plan(cluster, "create"),
      await bench.plan(simulatedCluster("dev", simulatedSpec({ workers: 3 })), "create"),
      await bench.plan(cluster, "repair"),
    ];
    await bench.runJob(cluster, "create");
    hashes.push(await bench.plan(cluster, "repair"));
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(4);
  });

  it("ends every pipeline with the check that belongs there", async () => {
    const bench = new SimulatedBench();
    for (const kind of KINDS) {
      const { plan } = await bench.plan(cluster, kind);
      const last = { delete: "prove-everything-gone", hibernate: "stop-simulated-cluster" };
      expect(plan.steps.at(-1)?.name, kind).toBe((last as Record<string, string>)[kind] ?? "verify-cluster-answers");
    }
  });

  it("names only steps that are registered", async () => {
    const bench = new SimulatedBench();
    for (const kind of KINDS) {
      const { plan } = await bench.plan(cluster, kind);
      expect(plan.steps.filter(({ name }) => !bench.registry.has(name))).toEqual([]);
    }
  });

  it("leaves the simulated cloud untouched", async () => {
    const bench = new SimulatedBench();
    for (const kind of KINDS) await bench.plan(cluster, kind);
    expect(bench.records).toEqual([]);
  });
});

describe("a plan is refused", () => {
  it("for everything while the cluster cannot be seen", async () => {
    const bench = new SimulatedBench();
    for (const kind of JOB_KINDS) {
      const planned = bench.plan(cluster, kind, { observed: unseen("It is dark.") });
      await expect(planned, kind).rejects.toMatchObject({
        code: "cluster-unseen",
        message: expect.stringContaining("It is dark."),
      });
    }
  });

  it("for a change that cannot be made, and for kinds without a pipeline", async () => {
    const bench = new SimulatedBench();
    await expect(bench.plan(cluster, "update", { change: "forbidden" })).rejects.toMatchObject({
      code: "change-forbidden",
    });
    for (const kind of JOB_KINDS.filter((one) => !(KINDS as readonly JobKind[]).includes(one))) {
      await expect(bench.plan(cluster, kind), kind).rejects.toMatchObject({ code: "job-kind-unsupported" });
    }
  });

  it("when a provider makes a graph of it that is none", () => {
    const task = { title: "Same", steps: [{ step: "a", title: "Same" }] };
    const plan: Provider["plan"] = () => [{ title: "Twice", tasks: [task, task] }];
    const provider = { ...new SimulatedBench().provider, plan };
    const observed = { ...unseen(""), presence: "absent" } as const;
    const request = { kind: "create", cluster, specHash: "", change: "nothing", provider, observed } as const;
    expect(() => makePlan(request)).toThrow(/create-cluster makes no graph/);
  });
});

describe("a change that no running cluster survives", () => {
  const next = simulatedCluster("dev", simulatedSpec({ seed: 2, workers: 1 }));

  it("needs consent, as long as there is something to lose", async () => {
    const bench = new SimulatedBench();
    expect((await bench.plan(next, "update", { change: "recreate" })).plan.pipeline).toBe("update-cluster");
    await bench.runJob(cluster, "create");
    await expect(bench.plan(next, "update", { change: "recreate" })).rejects.toMatchObject({
      code: "consent-required",
    });
    const { plan } = await bench.plan(next, "update", { change: "recreate", consent: true });
    expect([plan.pipeline, plan.change]).toEqual(["recreate-cluster", "recreate"]);
  });

  it("proves the end of the old cluster before it makes the new one", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(cluster, "create");
    const { plan } = await bench.plan(next, "update", { change: "recreate", consent: true });
    const outcomes = await bench.runSteps(next, plan.steps, bench.newJob("update"));
    const names = outcomes.map(({ name }) => name);
    expect(names.indexOf("prove-everything-gone")).toBeLessThan(names.indexOf("create-simulated-cluster"));
    expect(await bench.look(next)).toMatchObject({ complete: true, drift: [], nodesTotal: 2 });
    const audit = bench.audit([next]);
    expect([audit.creates, audit.deletes, audit.doubles]).toEqual([2, 1, []]);
  });
});

describe("planning", () => {
  it("never throws anything but a refusal, whatever was seen and asked for", () => {
    const { provider } = new SimulatedBench();
    const presence = fc.constantFrom("present", "absent", "unknown");
    const body = fc.record({
      nodes: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.constantFrom("v1.34.0", "x"))),
    });
    const sighting = fc.record({ presence, complete: fc.boolean(), body });
    const request = fc.record({
      kind: fc.constantFrom(...JOB_KINDS),
      change: fc.constantFrom(...CHANGE_CLASSES),
      consent: fc.boolean(),
    });
    const newer = simulatedCluster("dev", simulatedSpec({}, { kubernetes: { version: "v1.35.0" } }));
    fc.assert(
      fc.property(request, sighting, (asked, seen) => {
        const observed = { ...unseen(""), ...seen } as ReturnType<typeof unseen>;
        try {
          const { plan } = makePlan({ ...asked, cluster: newer, specHash: "", provider, observed });
          expect(plan.steps.length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toMatchObject({ name: "DroverError" });
        }
      }),
    );
  });
});
