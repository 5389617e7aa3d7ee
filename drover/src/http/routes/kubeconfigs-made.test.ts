import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeKubernetes } from "../../../test/fake-kubernetes/fake-kubernetes.ts";
import { newClient } from "../../../test/fake-kubernetes/new-client.ts";
import { asText, openTestServer } from "../../../test/http.ts";
import { systemTimer, type Timer } from "../../ports/timer.ts";

/* Kubeconfigs that a worker makes inside a cluster, asked for at a server that never talks to one. */

const PATH = "/api/v1/clusters/prod/kubeconfigs";
const { signal } = new AbortController();

let fake: FakeKubernetes;
let kubernetes: ReturnType<typeof newClient>;
let test: Awaited<ReturnType<typeof openTestServer>>;
let stop: () => Promise<void>;
/** By how much time passes faster for whoever waits at the server. */
let haste = 1;
const stepTimer: Timer = { after: (ms, callback) => systemTimer.after(ms / 100, callback) };
const appTimer: Timer = { after: (ms, callback) => systemTimer.after(ms / haste, callback) };

beforeEach(async () => {
  fake = await FakeKubernetes.start();
  fake.objects.addNode("n1");
  kubernetes = newClient();
  test = await openTestServer({}, { kubernetes, appTimer, stepTimer });
  const contexts = [{ context: "admin@fake", name: "prod" }];
  await test.ask("POST", "/api/v1/import/kubeconfig", { body: { kubeconfig: fake.kubeconfig(), contexts } });
  await test.settle();
  stop = async () => {};
  haste = 1;
});

afterEach(async () => {
  fake.disturb = null;
  await stop();
  await test.dispose();
  await kubernetes.close();
  await fake.stop();
});

const adopt = async () => {
  await test.ask("POST", "/api/v1/clusters/prod/adopt");
  await test.settle();
  stop = test.start();
};
const create = (more: Parameters<typeof test.ask>[2] = {}) =>
  test.ask("POST", PATH, { as: "operator", body: { role: "viewer" }, ...more });
const revoke = (id: string) => test.ask("DELETE", `${PATH}/${id}`, { as: "operator" });
const listed = async () => (await test.ask("GET", PATH)).json["items"];
const nodesWith = (kubeconfig: string) => kubernetes.get({ kubeconfig }, "/api/v1/nodes/n1", signal);
const removePod = (kubeconfig: string) =>
  kubernetes.delete({ kubeconfig }, "/api/v1/namespaces/default/pods/p", signal);

describe("a kubeconfig for a role", () => {
  it("works, shows what it may not, is listed, and is of no use once it was revoked", async () => {
    await adopt();
    const before = await test.store.read.findCluster("prod");
    const { status, json } = await create({ body: { role: "viewer", lifetimeSeconds: 600 } });
    expect(status).toBe(201);
    const [id, kubeconfig] = [asText(json["id"]), asText(json["kubeconfig"])];
    const lifetime = Date.parse(asText(json["expiresTime"])) - Date.now();
    expect([lifetime > 590_000, lifetime <= 600_000]).toEqual([true, true]);
    expect(await nodesWith(kubeconfig)).toMatchObject({ metadata: { name: "n1" } });
    await expect(removePod(kubeconfig)).rejects.toMatchObject({ status: 403 });
    expect(await listed()).toMatchObject([{ id, role: "viewer", createdBy: "tester/operator", revokedTime: null }]);

    expect((await revoke(id)).status).toBe(204);
    await expect(nodesWith(kubeconfig)).rejects.toMatchObject({ status: 401 });
    expect(await listed()).toMatchObject([{ id, revokedTime: expect.any(String) }]);
    expect((await revoke(id)).status).toBe(204);
    const after = await test.store.read.findCluster("prod");
    expect([after?.phase, after?.generation]).toEqual([before?.phase, before?.generation]);
    const audit = await test.store.read.listAudit({ limit: 20, objectName: "prod" });
    expect(audit.filter(({ action }) => action.startsWith("kubeconfig."))).toMatchObject([
      { action: "kubeconfig.revoke", actor: { name: "tester/operator" }, body: { id } },
      { action: "kubeconfig.create", actor: { name: "tester/operator" }, body: { id, role: "viewer" } },
    ]);
  });

  it("leaves its token nowhere: not in the store once it was sent, not in plans, logs, audit or events", async () => {
    await adopt();
    const { json } = await create();
    const token = /token: (\S+)/.exec(asText(json["kubeconfig"]))?.[1] ?? "";
    expect(token).toMatch(/^issued-token-/);
    const { id = "" } = (await test.store.read.findCluster("prod")) ?? {};
    await expect
      .poll(async () => (await test.store.secrets.listSecrets(`cluster/${id}`)).map(({ name }) => name))
      .toEqual(["kubeconfig"]);
    const [job] = (await test.store.read.listJobs({ clusterId: id, limit: 1 })).items;
    const said = [
      job,
      await test.store.read.getPlan(job?.planHash ?? ""),
      await test.store.read.listSteps(job?.id ?? ""),
      (await test.ask("GET", `/api/v1/jobs/${job?.id}/logs`)).text,
      await test.store.read.listAudit({ limit: 100 }),
      (await test.ask("GET", "/api/v1/events?limit=100")).text,
    ];
    expect(job?.kind).toBe("grant");
    expect(JSON.stringify(said)).not.toContain(token);
  });

  it("is not made in a locked cluster", async () => {
    expect((await create()).json["code"]).toBe("cluster-locked");
    expect(fake.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  });

  it("is not made while other work goes on, which is named", async () => {
    await test.ask("POST", "/api/v1/clusters/prod/adopt");
    await test.settle();
    const { json: job } = await test.ask("POST", "/api/v1/clusters/prod/reconcile");
    const { status, json } = await create();
    expect([status, json["code"], json["jobId"]]).toEqual([409, "job-live", job["jobId"]]);
  });

  it("is made for several who ask at the same time", async () => {
    await adopt();
    const answers = await Promise.all([create(), create(), create({ body: { role: "operator" } })]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const texts = answers.map(({ json }) => asText(json["kubeconfig"]));
    expect(new Set(texts).size).toBe(3);
    for (const text of texts) await nodesWith(text);
  });

  it("says why nothing came of it when the cluster refuses", async () => {
    await adopt();
    fake.forbidden.push(/clusterrolebindings/);
    const { status, json } = await create();
    expect([status, json["code"], json["cause"]]).toEqual([502, "kubeconfig-failed", "credentials-refused"]);
    expect(await listed()).toEqual([]);
  });

  it("goes with the cluster, which keeps nothing of ours when it is let go of", async () => {
    await adopt();
    const { json } = await create();
    await stop();
    stop = async () => {};
    await test.ask("DELETE", "/api/v1/clusters/prod");
    await test.settle();
    expect(await test.store.read.findCluster("prod")).toBeNull();
    expect(fake.objects.paths).toEqual(["/api/v1/nodes/n1"]);
    await expect(nodesWith(asText(json["kubeconfig"]))).rejects.toMatchObject({ status: 401 });
  });

  it("keeps a cluster that does not answer from being let go of, unless what is left is given up", async () => {
    await adopt();
    await create();
    await stop();
    stop = async () => {};
    await fake.stop();
    await test.ask("DELETE", "/api/v1/clusters/prod");
    const { id = "" } = (await test.store.read.findCluster("prod")) ?? {};
    await expect
      .poll(async () => {
        await test.settle();
        return (await test.store.read.listJobs({ clusterId: id, limit: 1 })).items[0]?.state;
      })
      .toBe("Failed");
    const { json } = await test.ask("GET", "/api/v1/clusters/prod");
    expect(JSON.stringify(json)).toContain("--release-leftovers");
    await test.ask("DELETE", "/api/v1/clusters/prod?releaseLeftovers=true");
    await test.settle();
    await expect
      .poll(async () => {
        await test.settle();
        return await test.store.read.findCluster("prod");
      })
      .toBeNull();
  });
});

describe("a kubeconfig that takes long", () => {
  const headers = { "idempotency-key": "k-1" };
  let letGo: () => void;

  beforeEach(async () => {
    await adopt();
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    fake.disturb = async ({ url = "" }) => {
      if (url.includes("/serviceaccounts/") || url.includes("/secrets/")) await held;
      return false;
    };
  });

  it("is told to be under way, and handed to who asks again with the same key, once", async () => {
    haste = 100;
    const early = await create({ headers });
    expect([early.status, early.json["code"], early.headers["retry-after"]]).toEqual([503, "kubeconfig-pending", "1"]);
    expect(await listed()).toEqual([]);
    letGo();
    haste = 1;
    const made = await create({ headers });
    expect(made.status).toBe(201);
    await nodesWith(asText(made.json["kubeconfig"]));
    expect(await listed()).toHaveLength(1);
    await expect.poll(async () => (await create({ headers })).json["code"]).toBe("kubeconfig-handed-out");
    expect((await create({ headers, body: { role: "operator" } })).json["code"]).toBe("idempotency-key-reused");
  });

  it("is not said to be revoked before it is", async () => {
    letGo();
    const { json } = await create();
    let letRevoke = () => {};
    const held = new Promise<void>((resolve) => {
      letRevoke = resolve;
    });
    fake.disturb = async ({ method }) => {
      if (method === "DELETE") await held;
      return false;
    };
    haste = 100;
    const early = await revoke(asText(json["id"]));
    expect([early.status, early.json["code"]]).toEqual([503, "kubeconfig-pending"]);
    expect(await listed()).toMatchObject([{ revokedTime: null }]);
    letRevoke();
    haste = 1;
    expect((await revoke(asText(json["id"]))).status).toBe(204);
    expect(await listed()).toMatchObject([{ revokedTime: expect.any(String) }]);
  });
});
