import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeKubernetes } from "../../../test/fake-kubernetes/fake-kubernetes.ts";
import { newClient } from "../../../test/fake-kubernetes/new-client.ts";
import { openTestServer } from "../../../test/http.ts";

let fake: FakeKubernetes;
let kubernetes: ReturnType<typeof newClient>;
let test: Awaited<ReturnType<typeof openTestServer>>;

beforeEach(async () => {
  fake = await FakeKubernetes.start({ version: "v1.33.1" });
  fake.objects.addNode("n1");
  kubernetes = newClient();
  test = await openTestServer({}, { kubernetes });
});

afterEach(async () => {
  await test.dispose();
  await kubernetes.close();
  await fake.stop();
});

const importIt = (kubeconfig: string) =>
  test.ask("POST", "/api/v1/import/kubeconfig", {
    body: { kubeconfig, contexts: [{ context: "admin@fake", name: "prod" }] },
  });
const phaseOf = async () => (await test.store.read.findCluster("prod"))?.phase;
const lookAgain = async () => {
  await test.ask("POST", "/api/v1/consistency/check");
  await test.settle();
};

describe("the life of an imported cluster", () => {
  it("begins with Connecting, goes on with Running, and ends without a trace in the cluster", async () => {
    expect((await importIt(fake.kubeconfig())).status).toBe(202);
    expect(await phaseOf()).toBe("Connecting");
    await test.settle();
    expect(await phaseOf()).toBe("Running");
    const { json } = await test.ask("GET", "/api/v1/clusters/prod");
    expect(json).toMatchObject({
      spec: { imported: { locked: true } },
      status: {
        kubernetesVersion: "v1.33.1",
        nodes: { total: 1, ready: 1, controlPlanes: 0, workers: 1 },
        capacity: { cpu: { capacity: 4_000, used: 0 }, memory: { capacity: 8_589_934_592 } },
        certificates: { serverEndTime: expect.any(String), clientEndTime: expect.any(String) },
      },
    });
    expect((await test.ask("POST", "/api/v1/clusters/prod/reconcile")).json.code).toBe("cluster-locked");
    await test.ask("POST", "/api/v1/clusters/prod/adopt");
    expect((await test.ask("POST", "/api/v1/clusters/prod/reconcile")).status).toBe(202);
    await test.settle();
    await test.ask("DELETE", "/api/v1/clusters/prod");
    await test.settle();
    expect(await test.store.read.findCluster("prod")).toBeNull();
    expect(fake.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  });

  it("is Unreachable while it does not answer, and Running again by itself", async () => {
    await importIt(fake.kubeconfig());
    await test.settle();
    await fake.stop();
    await lookAgain();
    expect(await phaseOf()).toBe("Unreachable");
    await fake.listen();
    await lookAgain();
    expect(await phaseOf()).toBe("Running");
  });

  it("ends also while the cluster does not answer", async () => {
    await importIt(fake.kubeconfig());
    await test.settle();
    await fake.stop();
    await test.ask("DELETE", "/api/v1/clusters/prod");
    await test.settle();
    expect(await test.store.read.findCluster("prod")).toBeNull();
  });

  it("does not begin with credentials that the cluster does not know, and says so", async () => {
    await importIt(fake.kubeconfig({ user: { token: "unknown" } }));
    await test.settle();
    expect(await phaseOf()).toBe("Unavailable");
    const { json } = await test.ask("GET", "/api/v1/clusters/prod");
    expect(json).toMatchObject({ status: { lastError: { code: "credentials-refused" } } });
  });
});

describe("the nodes of an imported cluster", () => {
  const change = (action: string, body: object = {}) =>
    test.ask("POST", `/api/v1/clusters/prod/nodes/n1/${action}`, { body });
  const nodes = async () => {
    const { json } = await test.ask("GET", "/api/v1/clusters/prod/nodes");
    return (json["items"] as unknown as { name: string; status: string }[]).map(({ name, status }) => [name, status]);
  };

  beforeEach(async () => {
    await importIt(fake.kubeconfig());
    await test.settle();
  });

  it("are left alone while the cluster is locked", async () => {
    expect((await change("cordon")).json.code).toBe("cluster-locked");
  });

  it("are cordoned, drained and uncordoned by jobs that leave the cluster as it is otherwise", async () => {
    await test.ask("POST", "/api/v1/clusters/prod/adopt");
    fake.objects.addPod("web", { node: "n1" });
    const before = await test.store.read.findCluster("prod");
    expect((await change("cordon")).status).toBe(202);
    await test.settle();
    expect(await nodes()).toEqual([["n1", "Cordoned"]]);
    await change("drain");
    await test.settle();
    expect(await nodes()).toEqual([["n1", "Drained"]]);
    const after = await test.store.read.findCluster("prod");
    expect([after?.phase, after?.modifiers, after?.generation, after?.observedGeneration]).toEqual([
      "Running",
      [],
      before?.generation,
      before?.observedGeneration,
    ]);
    await change("uncordon");
    await test.settle();
    expect(await nodes()).toEqual([["n1", "Ready"]]);
    const { json } = await test.ask("GET", "/api/v1/jobs?cluster=prod");
    const jobs = (json["items"] as unknown as { kind: string; state: string }[]).map(
      ({ kind, state }) => `${kind} ${state}`,
    );
    expect(jobs).toEqual(["uncordon Succeeded", "drain Succeeded", "cordon Succeeded", "import Succeeded"]);
  });

  it("that could not be drained leave the cluster Running, and are tried again by a retry", async () => {
    await test.ask("POST", "/api/v1/clusters/prod/adopt");
    fake.objects.addPod("pet", { node: "n1", owner: null });
    await change("drain");
    await test.settle();
    expect(await phaseOf()).toBe("Running");
    const [failed] = (await test.ask("GET", "/api/v1/jobs?cluster=prod")).json["items"] as unknown as { id: string }[];
    expect(failed).toMatchObject({ kind: "drain", state: "Failed", error: { code: "node-not-drained" } });
    fake.objects.handle("DELETE", "/api/v1/namespaces/default/pods/pet", new URLSearchParams(), undefined);
    await test.ask("POST", `/api/v1/jobs/${failed?.id}/retry`);
    await test.settle();
    expect(await nodes()).toEqual([["n1", "Drained"]]);
  });

  it("are not looked for under a mistyped name", async () => {
    await test.ask("POST", "/api/v1/clusters/prod/adopt");
    const { json } = await test.ask("POST", "/api/v1/clusters/prod/nodes/n9/cordon");
    expect(json.code).toBe("node-not-found");
  });
});
