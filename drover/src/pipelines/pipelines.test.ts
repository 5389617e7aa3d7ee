import type { JobKind } from "@drover/contract";
import { describe, expect, it } from "vitest";
import { SimulatedBench, simulatedCluster, simulatedSpec } from "../../test/simulated-bench.ts";
import type { ProviderCluster } from "../ports/provider.ts";

/* Every step that any plan can name, in the plans that name it. */

const small = simulatedCluster("dev", simulatedSpec({ workers: 2 }, { kubernetes: { version: "v1.35.0" } }));
const fewer = simulatedCluster("dev", simulatedSpec({ workers: 1 }, { kubernetes: { version: "v1.35.0" } }));
const newer = simulatedCluster("dev", simulatedSpec({ workers: 1 }, { kubernetes: { version: "v1.36.0" } }));
const moved = simulatedCluster(
  "dev",
  simulatedSpec({ workers: 1 }, { kubernetes: { version: "v1.36.0" }, networking: { podSubnet: "10.99.0.0/16" } }),
);

const LIFE: readonly { readonly kind: JobKind; readonly cluster: ProviderCluster }[] = [
  { kind: "create", cluster: small },
  { kind: "update", cluster: fewer },
  { kind: "upgrade", cluster: newer },
  { kind: "update", cluster: moved },
  { kind: "hibernate", cluster: moved },
  { kind: "wake", cluster: moved },
  { kind: "import", cluster: { ...moved, id: "another-record" } },
  { kind: "delete", cluster: { ...moved, id: "another-record" } },
];

/** Steps that exist for what they give back: they look again each time, and change nothing by that. */
const NEVER_SKIPPED = new Set(["prove-everything-gone"]);

/** The rows of a record that was lost go with it: an import finds things that no ledger names. */
function forget(bench: SimulatedBench, { kind }: { kind: JobKind }): void {
  if (kind === "import") bench.steps.ledger.rows.length = 0;
}

describe("every step that is registered", () => {
  it("does nothing in a preview, and is skipped when it runs a second time", async () => {
    const bench = new SimulatedBench();
    const ran = new Set<string>();
    for (const { kind, cluster } of LIFE) {
      forget(bench, { kind });
      const { plan } = await bench.plan(cluster, kind);
      const run = bench.newJob(kind);
      for (const step of plan.steps) {
        const before = [bench.records.length, structuredClone(bench.steps.ledger.rows)];
        const announced = bench.steps.changes.length;
        const shown = await bench.runSteps(cluster, [step], { ...run, preview: true });
        expect([bench.records.length, bench.steps.ledger.rows], step.name).toEqual(before);
        if (shown[0]?.state !== "Skipped") expect(bench.steps.changes.length, step.name).toBeGreaterThan(announced);
        const [first] = await bench.runSteps(cluster, [step], run);
        if (first?.state === "Succeeded") ran.add(step.name);
        const after = [bench.records.length, structuredClone(bench.steps.ledger.rows)];
        const [second] = await bench.runSteps(cluster, [step], run);
        if (!NEVER_SKIPPED.has(step.name)) expect(second?.state, step.name).toBe("Skipped");
        expect([bench.records.length, bench.steps.ledger.rows], step.name).toEqual(after);
      }
    }
    // One only looks; no declaration leads to the others, which have tests of their own.
    const others = [
      ...["verify-cluster-answers", "cordon-node", "uncordon-node", "drain-node"],
      ...["grant-access", "revoke-access", "remove-own-objects"],
    ];
    expect([...bench.registry.keys()].filter((name) => !ran.has(name) && !others.includes(name))).toEqual([]);
  });
});

describe("a preview", () => {
  it("of any plan leaves the simulated cloud and Drover's ledger empty", async () => {
    const bench = new SimulatedBench();
    for (const kind of ["create", "update", "upgrade", "repair", "import", "hibernate", "wake", "delete"] as const) {
      const { plan } = await bench.plan(small, kind);
      await bench.runSteps(small, plan.steps, { ...bench.newJob(kind), preview: true });
    }
    expect(bench.records).toEqual([]);
    expect(bench.steps.ledger.rows).toEqual([]);
  });

  it("tells in order what will be done", async () => {
    const bench = new SimulatedBench();
    const { plan } = await bench.plan(fewer, "create");
    await bench.runSteps(fewer, plan.steps, { ...bench.newJob("create"), preview: true });
    expect(bench.steps.changes.slice(0, 4)).toEqual([
      "Let no older worker touch the simulated cluster dev",
      "Create the simulated cluster dev",
      "Start the simulated control-plane simulated-dev-control-plane-1 with Kubernetes v1.35.0",
      "Start the simulated worker simulated-dev-worker-1 with Kubernetes v1.35.0",
    ]);
  });
});

describe("a cluster's life", () => {
  it("is brought about job by job, and each leaves it as declared", async () => {
    const bench = new SimulatedBench();
    for (const { kind, cluster } of LIFE) {
      forget(bench, { kind });
      await bench.runJob(cluster, kind);
      const { presence, complete, drift } = await bench.look(cluster);
      const wanted = kind === "delete" ? ["absent", false, []] : ["present", true, []];
      expect([presence, complete, drift], kind).toEqual(wanted);
    }
    const audit = bench.audit([]);
    expect([audit.doubles, audit.orphans, audit.touchedForeign]).toEqual([[], [], []]);
  });

  it("is repaired after anything that happens to it", async () => {
    const bench = new SimulatedBench();
    await bench.runJob(small, "create");
    for (const disturbance of ["node-lost", "drift", "cluster-lost"] as const) {
      bench.disturb(small, { disturbance });
      const { presence, drift } = await bench.look(small);
      expect(presence === "absent" || drift.length > 0, disturbance).toBe(true);
      await bench.runJob(small, "repair");
      expect(await bench.look(small), disturbance).toMatchObject({ presence: "present", complete: true, drift: [] });
    }
    expect(bench.audit().doubles).toEqual([]);
  });

  it("cannot be taken over where there is nothing", async () => {
    const bench = new SimulatedBench();
    await expect(bench.runJob(small, "import")).rejects.toThrow(/no simulated cluster dev to take over/);
    expect(bench.audit().creates).toBe(0);
  });
});

describe("an old worker that wakes up", () => {
  it("after the cluster was deleted makes nothing, although its job was a creation", async () => {
    const bench = new SimulatedBench();
    const { plan } = await bench.plan(small, "create");
    const old = bench.newJob("create");
    await bench.runSteps(small, plan.steps.slice(0, 1), old);
    await bench.runJob(small, "delete");
    const late = bench.runSteps(small, plan.steps.slice(1), old);
    await expect(late).rejects.toMatchObject({ code: "lease-lost" });
    expect(bench.audit().creates).toBe(0);
  });

  it("is refused by the cloud even when Drover's own store would let it in", async () => {
    const bench = new SimulatedBench();
    const { plan } = await bench.plan(small, "create");
    const old = bench.newJob("create");
    await bench.runJob(small, "delete");
    bench.steps.ledger.admit = () => {};
    await expect(bench.runSteps(small, plan.steps.slice(1), old)).rejects.toMatchObject({ code: "lease-lost" });
    expect(bench.audit().refused).toHaveLength(1);
    expect(bench.audit().creates).toBe(0);
  });
});
