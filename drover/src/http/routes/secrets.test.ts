import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestServer } from "../../../test/http.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  test = await openTestServer();
});
afterAll(() => test.dispose());

const VALUE = "correct-horse-battery-staple";
const secret = { name: "node.key", description: "For the nodes", entries: { id_ed25519: VALUE, user: "root" } };

const cluster = (name: string, secretName: string, env = "dev") => `
apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata: { name: ${name}, labels: { env: ${env} } }
spec: { provider: imported, imported: { kubeconfig: { name: ${secretName} } } }
`;

it("keeps secrets whose values nobody reads back", async () => {
  const made = await test.ask("POST", "/api/v1/secrets", { as: "operator", body: secret });
  expect([made.status, made.json]).toMatchObject([
    201,
    { name: "node.key", description: "For the nodes", keys: ["id_ed25519", "user"], usedBy: [] },
  ]);
  expect((await test.ask("POST", "/api/v1/secrets", { body: secret })).json.code).toBe("secret-exists");
  const listed = await test.ask("GET", "/api/v1/secrets", { as: "operator" });
  expect(listed.json.items).toEqual([made.json]);
  expect((await test.ask("GET", "/api/v1/secrets", { as: "viewer" })).status).toBe(403);
  const seen = [made.text, listed.text, (await test.ask("GET", "/api/v1/audit")).text].join();
  expect(seen).toContain("node.key");
  expect(seen).not.toContain(VALUE);
  const stored = await test.store.secrets.getSecret("named", "node.key");
  expect(JSON.parse(Buffer.from(stored ?? []).toString())).toEqual(secret.entries);
});

it("replaces all values at once, of a secret that is there", async () => {
  const put = (name: string) => test.ask("PUT", `/api/v1/secrets/${name}`, { body: { entries: { other: "x" } } });
  expect((await put("none")).json.code).toBe("secret-not-found");
  expect((await put("node.key")).json).toMatchObject({ keys: ["other"], description: "", updatedBy: "tester/admin" });
  expect(await test.store.secrets.listSecrets("named")).toHaveLength(1);
});

it("does not let go of a secret that a cluster names", async () => {
  expect((await test.ask("POST", "/api/v1/clusters", { body: cluster("user", "node.key") })).status).toBe(202);
  expect((await test.ask("GET", "/api/v1/secrets")).json.items).toMatchObject([{ usedBy: ["user"] }]);
  const refusal = await test.ask("DELETE", "/api/v1/secrets/node.key");
  expect([refusal.status, refusal.json.code, refusal.json.clusters]).toEqual([409, "secret-in-use", ["user"]]);
  await test.ask("POST", "/api/v1/secrets", { body: { ...secret, name: "idle" } });
  expect((await test.ask("DELETE", "/api/v1/secrets/idle")).status).toBe(204);
  expect((await test.ask("DELETE", "/api/v1/secrets/idle")).json.code).toBe("secret-not-found");
});

it("binds those with a scope to the secrets of the clusters they may see", async () => {
  await test.ask("POST", "/api/v1/secrets", { body: { ...secret, name: "prod" } });
  await test.ask("POST", "/api/v1/clusters", { body: cluster("prod-1", "prod", "prod") });
  const as = await test.makeToken("operator", ["env=prod"]);
  expect((await test.ask("GET", "/api/v1/secrets", { as })).json.items).toMatchObject([
    { name: "prod", usedBy: ["prod-1"] },
  ]);
  for (const [method, url, body] of [
    ["POST", "/api/v1/secrets", { ...secret, name: "mine" }],
    ["PUT", "/api/v1/secrets/prod", { entries: { a: "b" } }],
    ["DELETE", "/api/v1/secrets/prod", undefined],
    ["POST", "/api/v1/clusters", cluster("prod-2", "node.key", "prod")],
    ["POST", "/api/v1/clusters/prod-1/plan", cluster("prod-1", "node.key", "prod")],
  ] as const) {
    expect([url, (await test.ask(method, url, { as, body })).json.code]).toEqual([url, "forbidden"]);
  }
  expect((await test.ask("POST", "/api/v1/clusters", { as, body: cluster("prod-2", "prod", "prod") })).status).toBe(
    202,
  );
});
