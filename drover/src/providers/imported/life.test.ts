import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeKubernetes } from "../../../test/fake-kubernetes/fake-kubernetes.ts";
import { openTestServer } from "../../../test/http.ts";
import { KubernetesClient } from "../../connectors/kubernetes/kubernetes-client.ts";
import { systemClock } from "../../ports/clock.ts";
import { systemTimer } from "../../ports/timer.ts";

const noPrograms = { run: () => Promise.reject(new Error("No program is run here.")) };

let fake: FakeKubernetes;
let kubernetes: KubernetesClient;
let test: Awaited<ReturnType<typeof openTestServer>>;

beforeEach(async () => {
  fake = await FakeKubernetes.start({ version: "v1.33.1" });
  fake.objects.addNode("n1");
  kubernetes = new KubernetesClient({ clock: systemClock, timer: systemTimer, programs: noPrograms });
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
        capacity: { cpu: { capacity: 4, used: 0 }, memory: { capacity: 8_589_934_592 } },
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
    expect(JSON.stringify(json["status"])).toMatch(/answered 401.*Import it again/);
  });
});
