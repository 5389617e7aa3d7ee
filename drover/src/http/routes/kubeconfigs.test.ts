import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestServer } from "../../../test/http.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  test = await openTestServer();
  for (const [name, env] of [
    ["demo", "dev"],
    ["prod", "prod"],
  ]) {
    const metadata = { name, labels: { env } };
    const body = {
      apiVersion: "drover.dev/v1alpha1",
      kind: "Cluster",
      metadata,
      spec: { provider: "simulated", simulated: {} },
    };
    await test.ask("POST", "/api/v1/clusters", { body: JSON.stringify(body) });
  }
});
afterAll(() => test.dispose());

const text = (value: unknown) => String(value);
const PATH = "/api/v1/clusters/demo/kubeconfigs";

it("hands out nothing of a cluster that is not there yet", async () => {
  const early = await test.ask("POST", PATH, { body: { role: "admin" } });
  expect([early.status, early.json.code, early.json.phase]).toEqual([503, "cluster-not-ready", "Pending"]);
  await test.settle();
});

it("hands the administrator's to administrators only, as a worker kept it, and says who has it", async () => {
  expect((await test.ask("POST", PATH, { as: "operator", body: { role: "admin" } })).json.code).toBe("forbidden");
  const made = await test.ask("POST", PATH, { body: { role: "admin" } });
  expect([made.status, made.json.expiresTime]).toEqual([201, null]);
  expect(made.json.kubeconfig).toContain("server: simulated://demo");
  const listed = await test.ask("GET", PATH, { as: "operator" });
  expect(listed.json.items).toMatchObject([{ id: made.json.id, role: "admin", createdBy: "tester/admin" }]);
  const revoking = await test.ask("DELETE", `${PATH}/${text(made.json.id)}`);
  expect([revoking.status, revoking.json.code]).toEqual([422, "job-kind-unsupported"]);
  expect((await test.ask("GET", "/api/v1/audit?objectName=demo&limit=1")).json.items).toMatchObject([
    { action: "kubeconfig.create", body: { role: "admin" } },
  ]);
});

it("makes limited ones that end, keeps only a digest of them, and revokes them", async () => {
  const made = await test.ask("POST", PATH, { as: "operator", body: { role: "viewer", lifetimeSeconds: 600 } });
  expect(made.status).toBe(201);
  const [, token = ""] = /token: "([^"]+)"/.exec(text(made.json.kubeconfig)) ?? [];
  expect(token).toHaveLength(43);
  const lifetime = Date.parse(text(made.json.expiresTime)) - Date.now();
  expect(lifetime).toBeGreaterThan(590_000);
  expect(lifetime).toBeLessThanOrEqual(600_000);
  const [record] = await test.store.kubeconfigs.listKubeconfigs((await test.store.read.findCluster("demo"))?.id ?? "");
  expect(JSON.stringify([record, await test.store.read.listAudit({ limit: 50 })])).not.toContain(token);
  expect((await test.ask("DELETE", `${PATH}/${text(made.json.id)}`, { as: "operator" })).status).toBe(204);
  expect((await test.ask("GET", PATH)).json.items).toMatchObject([{ revokedTime: expect.any(String) }, {}]);
  expect((await test.ask("DELETE", `${PATH}/none`)).json.code).toBe("kubeconfig-not-found");
});

it("is out of reach for those who may not see the cluster", async () => {
  const as = await test.makeToken("admin", ["env=prod"]);
  for (const [method, url, body] of [
    ["POST", PATH, { role: "viewer" }],
    ["GET", PATH, undefined],
    ["DELETE", `${PATH}/x`, undefined],
  ] as const) {
    expect((await test.ask(method, url, { as, body })).json.code).toBe("cluster-not-found");
  }
  const own = "/api/v1/clusters/prod/kubeconfigs";
  const [made] = [await test.ask("POST", own, { as, body: { role: "viewer" } })];
  expect((await test.ask("DELETE", `${PATH}/${text(made.json.id)}`)).json.code).toBe("kubeconfig-not-found");
});

it("makes up at the next thorough look for a kubeconfig that was not kept", async () => {
  const { id = "" } = (await test.store.read.findCluster("demo")) ?? {};
  const actor = { type: "system", name: "test" } as const;
  await test.store.secrets.deleteSecret(actor, `cluster/${id}`, "kubeconfig");
  expect((await test.ask("POST", PATH, { body: { role: "admin" } })).json.code).toBe("cluster-not-ready");
  await test.store.desired.requestLooks(actor, []);
  await test.makeWorker("w2").runOnce(new AbortController().signal);
  expect((await test.ask("POST", PATH, { body: { role: "admin" } })).status).toBe(201);
});
