import type { ClusterSpec } from "@drover/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { FakeObjects } from "../../test/fake-kubernetes/fake-objects.ts";
import { isAllowed } from "../../test/fake-kubernetes/fake-rbac.ts";
import { memoryKubernetes } from "../../test/fake-kubernetes/memory-kubernetes.ts";
import { SimulatedTime } from "../../test/simulated-time.ts";
import { BenchLedger, type BenchRun, StepBench } from "../../test/step-bench.ts";
import type { KubernetesApi } from "../ports/kubernetes-api.ts";
import type { Provider, ProviderCluster } from "../ports/provider.ts";
import { registerSteps } from "../steps/index.ts";
import { planGrant, planRevocation } from "./change-access.ts";
import { makePlan } from "./make-plan.ts";

const cluster: ProviderCluster = {
  ...{ id: "c1", name: "dev", generation: 1 },
  spec: { provider: "fake" } as unknown as ClusterSpec,
};
const ADMIN = `
kind: Config
current-context: admin
contexts: [{ name: admin, context: { cluster: c, user: u } }]
clusters: [{ name: c, cluster: { server: "https://192.0.2.1:6443", certificate-authority-data: Q0E= } }]
users: [{ name: u, user: { client-key-data: a2V5, client-certificate-data: Y2VydA== } }]
`;
const by = { type: "user", name: "ada" } as const;
const LIFETIME = 3_600;

class Killed extends Error {}

let objects: FakeObjects;
let time: SimulatedTime;
let bench: StepBench;
/** Called before and after each request to the cluster. */
let point: (name: string) => void;

beforeEach(() => {
  objects = new FakeObjects();
  point = () => {};
  time = new SimulatedTime(Date.now());
  const provider = {
    ...{ id: "fake", capabilities: { createsClusters: false }, steps: [] },
    kubeconfig: async () => ADMIN,
    observe: async () => [],
    list: async () => [],
    plan: () => [
      { title: "Let go", tasks: [{ title: "Own", steps: [{ step: "remove-own-objects", title: "Remove" }] }] },
    ],
  } as unknown as Provider;
  const registry = registerSteps({
    providers: new Map([[provider.id, provider]]),
    kubernetes: pointed(memoryKubernetes(objects)),
    clock: time,
    timer: time,
  });
  bench = new StepBench(registry, new BenchLedger(time), time);
});

function pointed(api: KubernetesApi): KubernetesApi {
  const around =
    <A extends readonly unknown[], T>(name: string, ask: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      point(`before ${name}`);
      const answer = await ask(...args);
      point(`after ${name}`);
      return answer;
    };
  return {
    ...api,
    get: around("get", api.get),
    patch: around("patch", api.patch),
    post: around("post", api.post),
    delete: around("delete", api.delete),
  };
}

const runOf = (kind: BenchRun["kind"], token = 1): BenchRun => ({
  ...{ jobId: `j-${kind}`, kind, token },
  onPoint: (name) => point(name),
});

const grant = (id: string, role: "viewer" | "operator" = "viewer", token = 1) => {
  const { plan } = planGrant({ specHash: "hash" }, { id, role, lifetimeSeconds: LIFETIME, by });
  return time.run(bench.runSteps(cluster, plan.steps, runOf("grant", token)));
};
const revoke = (id: string, token = 1) => {
  const { plan } = planRevocation({ specHash: "hash" }, { id, by });
  return time.run(bench.runSteps(cluster, plan.steps, runOf("revoke", token)));
};
const removal = () => {
  const observed = { presence: "present" } as never;
  const provider = { plan: () => [] } as unknown as Provider;
  const { plan } = makePlan({ kind: "delete", cluster, provider, observed, specHash: "hash", change: "nothing" });
  const [first] = plan.steps;
  if (first === undefined) throw new Error("A deletion has steps.");
  const steps = [{ ...first, id: "own", name: "remove-own-objects" }, first];
  return time.run(bench.runSteps(cluster, steps, runOf("delete", 9)));
};

interface Written {
  readonly clusters: readonly { readonly cluster: Record<string, unknown> }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
}
const textOf = (id: string) => bench.ledger.kubeconfigs.find((kept) => kept.id === id)?.text ?? "";
const tokenOf = (id: string) => (parse(textOf(id)) as Written).users[0]?.user.token ?? "";
const accountOf = (id: string) => objects.accountOf(tokenOf(id));
const grants = () => objects.paths.filter((path) => path.includes("/secrets/")).map((path) => path.split("/").at(-1));
const openRows = () =>
  bench.ledger
    .list(cluster.id)
    .map(({ ref }) => ref.slice(cluster.id.length))
    .sort();

describe("a grant", () => {
  it("lets a viewer look at everything but secrets, and change nothing", async () => {
    await grant("g1");
    const account = accountOf("g1") ?? "";
    const may = (method: string, path: string) => isAllowed(objects, account, method, path);
    expect(account).toBe("/api/v1/namespaces/drover-c1/serviceaccounts/viewer");
    expect(may("GET", "/api/v1/nodes")).toBe(true);
    expect(may("GET", "/apis/metrics.k8s.io/v1beta1/nodes")).toBe(true);
    expect(may("GET", "/api/v1/pods")).toBe(true);
    expect(may("GET", "/api/v1/namespaces/default/secrets/s")).toBe(false);
    expect(may("DELETE", "/api/v1/namespaces/default/pods/p")).toBe(false);
    expect(may("PATCH", "/api/v1/nodes/n1")).toBe(false);
  });

  it("lets an operator change what is in namespaces, but no node", async () => {
    await grant("g1", "operator");
    const account = accountOf("g1") ?? "";
    expect(isAllowed(objects, account, "DELETE", "/api/v1/namespaces/default/pods/p")).toBe(true);
    expect(isAllowed(objects, account, "PATCH", "/api/v1/nodes/n1")).toBe(false);
  });

  it("is written for the API server of the cluster, without anything of the administrator's", async () => {
    await grant("g1");
    expect(parse(textOf("g1"))).toMatchObject({
      "current-context": "drover-dev",
      clusters: [{ cluster: { server: "https://192.0.2.1:6443", "certificate-authority-data": "Q0E=" } }],
    });
    expect(textOf("g1")).not.toContain("client-");
    expect(bench.ledger.kubeconfigs).toMatchObject([{ id: "g1", role: "viewer", by }]);
    expect((bench.ledger.kubeconfigs[0]?.expiresAt ?? 0) - time.now()).toBeGreaterThan((LIFETIME - 60) * 1_000);
  });

  it("has everything that it made in the ledger", async () => {
    await grant("g1");
    expect(openRows()).toEqual(objects.paths);
  });

  it("is skipped once it was made", async () => {
    await grant("g1");
    const token = tokenOf("g1");
    expect((await grant("g1"))[0]?.state).toBe("Skipped");
    expect(tokenOf("g1")).toBe(token);
  });

  it("is not made in a cluster that was locked since", async () => {
    const { plan } = planGrant({ specHash: "hash" }, { id: "g1", role: "viewer", lifetimeSeconds: LIFETIME, by });
    const locked = { ...cluster, spec: { provider: "fake", imported: { locked: true } } as unknown as ClusterSpec };
    const running = time.run(bench.runSteps(locked, plan.steps, runOf("grant")));
    await expect(running).rejects.toMatchObject({ code: "cluster-locked" });
    expect(objects.paths).toEqual([]);
  });

  it("sweeps up what ended grants were bound to, and nothing else", async () => {
    await grant("old");
    objects.put("/api/v1/namespaces/drover-c1/secrets/foreign", { metadata: { name: "foreign", uid: "f" } });
    await time.run(new Promise<void>((resolve) => void time.after((LIFETIME + 7_200) * 1_000, resolve)));
    await grant("new");
    expect(grants()).toEqual(["foreign", "grant-new"]);
    expect(openRows().some((path) => path.endsWith("grant-old"))).toBe(false);
  });

  it("is taken back when its job is cancelled", async () => {
    const { plan } = planGrant({ specHash: "hash" }, { id: "g1", role: "viewer", lifetimeSeconds: LIFETIME, by });
    await grant("g1");
    const token = tokenOf("g1");
    await time.run(bench.undoSteps(cluster, plan.steps, runOf("grant")));
    expect([objects.accountOf(token), grants(), [...bench.ledger.revoked]]).toEqual([null, [], ["g1"]]);
  });
});

it("shows in a preview what would be done, and does nothing", async () => {
  await grant("g1");
  const { plan: granting } = planGrant({ specHash: "h" }, { id: "g2", role: "viewer", lifetimeSeconds: LIFETIME, by });
  const { plan: revoking } = planRevocation({ specHash: "h" }, { id: "g1", by });
  const removing = revoking.steps.map((step) => ({ ...step, name: "remove-own-objects" }));
  const before = [objects.paths, structuredClone(bench.ledger.rows), [...bench.ledger.revoked]];
  bench.changes.length = 0;
  for (const steps of [granting.steps, revoking.steps, removing]) {
    await time.run(bench.runSteps(cluster, steps, { ...runOf("grant"), preview: true }));
  }
  expect([objects.paths, bench.ledger.rows, [...bench.ledger.revoked]]).toEqual(before);
  expect(bench.changes).toEqual([
    "Make a kubeconfig for the role viewer",
    "Make the kubeconfig g1 useless",
    "Remove what Drover has made inside dev",
  ]);
});

describe("a revocation", () => {
  it("shuts out one kubeconfig and leaves the others", async () => {
    await grant("g1");
    await grant("g2");
    await revoke("g1");
    expect([accountOf("g1"), grants(), [...bench.ledger.revoked]]).toEqual([null, ["grant-g2"], ["g1"]]);
    expect(accountOf("g2")).not.toBeNull();
    await revoke("g1");
  });

  it("is written down when no API server can remember the token any more, not before", async () => {
    await grant("g1");
    const before = time.now();
    let gone = 0;
    point = (name) => {
      if (name === "after delete") gone = time.now();
      if (name === "before revoke kubeconfig") expect(time.now() - gone).toBeGreaterThan(10_000);
    };
    await revoke("g1");
    expect([gone >= before, bench.ledger.revoked.has("g1")]).toEqual([true, true]);
  });

  it("says nothing of its success while the cluster does not answer", async () => {
    await grant("g1");
    point = (name) => {
      if (name === "before delete") throw new Error("unreachable");
    };
    await expect(revoke("g1")).rejects.toThrow("unreachable");
    expect([...bench.ledger.revoked]).toEqual([]);
  });
});

describe("letting go of a cluster that stays", () => {
  it("removes all that was made in it, and nothing else", async () => {
    objects.addNode("n1");
    await grant("g1");
    await grant("g2", "operator");
    await removal();
    expect([objects.paths, openRows()]).toEqual([["/api/v1/nodes/n1"], []]);
  });

  it("asks nothing of a cluster in which nothing was made", async () => {
    point = (name) => {
      throw new Error(`It asked: ${name}.`);
    };
    const { plan } = planGrant({ specHash: "hash" }, { id: "g1", role: "viewer", lifetimeSeconds: LIFETIME, by });
    const steps = plan.steps.map((step) => ({ ...step, name: "remove-own-objects" }));
    const [outcome] = await time.run(bench.runSteps(cluster, steps, { ...runOf("delete"), onPoint: () => {} }));
    expect(outcome?.state).toBe("Skipped");
  });
});

/** Runs `work` once for every place at which a process could end, and ends it there. */
async function killEverywhere(work: () => Promise<unknown>, after: () => Promise<void>): Promise<number> {
  for (let place = 1; ; place += 1) {
    let passed = 0;
    point = () => {
      passed += 1;
      if (passed === place) throw new Killed();
    };
    const killed = await work().then(
      () => false,
      (error: unknown) => {
        if (error instanceof Killed) return true;
        throw error;
      },
    );
    point = () => {};
    await after();
    if (!killed) return place - 1;
  }
}

describe("after a crash anywhere", () => {
  it("a grant is made once, works, and all of it is in the ledger", async () => {
    let round = 0;
    const places = await killEverywhere(
      () => grant(`g${round}`),
      async () => {
        await grant(`g${round}`, "viewer", round + 2);
        expect(accountOf(`g${round}`)).not.toBeNull();
        expect(grants().filter((name) => name === `grant-g${round}`)).toHaveLength(1);
        expect(openRows()).toEqual(objects.paths);
        await revoke(`g${round}`, round + 2);
        bench = new StepBench(bench.registry, new BenchLedger(time), time);
        for (const path of objects.paths) await memoryKubernetes(objects).delete({ kubeconfig: "" }, path, SIGNAL);
        round += 1;
      },
    );
    expect(places).toBeGreaterThan(20);
  });

  it("a revocation is finished by whoever goes on", async () => {
    let round = 0;
    await grant("r0");
    const places = await killEverywhere(
      () => revoke(`r${round}`, 3 * round + 1),
      async () => {
        await revoke(`r${round}`, 3 * round + 2);
        expect([accountOf(`r${round}`), bench.ledger.revoked.has(`r${round}`), grants()]).toEqual([null, true, []]);
        round += 1;
        await grant(`r${round}`, "viewer", 3 * round);
      },
    );
    expect(places).toBeGreaterThan(5);
  });
});

const SIGNAL = new AbortController().signal;
